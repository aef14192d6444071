/** VitePress's own look, with the fonts of the system: nothing is fetched from elsewhere. */
import './contrast.css';

export { default } from 'vitepress/theme-without-fonts';
