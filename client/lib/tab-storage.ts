/**
 * What a page keeps over a reload: each tab what it wrote itself, and a new tab what was written last in any. So two
 * tabs never lose what was typed in the other.
 */
export const tabStorage = {
  read: (key: string): string | null => sessionStorage.getItem(key) ?? localStorage.getItem(key),
  write(key: string, text: string): void {
    sessionStorage.setItem(key, text);
    localStorage.setItem(key, text);
  },
  remove(key: string): void {
    sessionStorage.removeItem(key);
    localStorage.removeItem(key);
  },
};
