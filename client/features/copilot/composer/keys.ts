import type { KeyboardEvent } from 'react';

/** Older browsers give the keys of an input method this code. */
const INPUT_METHOD = 229;

/** Enter sends, Shift+Enter begins a line, and an Enter that ends a composition (Japanese, Chinese) does neither. */
export const isSendKey = ({ key, shiftKey, nativeEvent }: KeyboardEvent): boolean =>
  key === 'Enter' && !shiftKey && !nativeEvent.isComposing && nativeEvent.keyCode !== INPUT_METHOD;
