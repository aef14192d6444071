/** Loaded with the first code block. */
import bash from 'highlight.js/lib/languages/bash';
import graphql from 'highlight.js/lib/languages/graphql';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import yaml from 'highlight.js/lib/languages/yaml';
import { createLowlight } from 'lowlight';

/** Colours code of the languages that answers about calibrations are likely to hold; `py`, `sh` and `js` are known. */
export const highlighter = createLowlight({ bash, graphql, javascript, json, python, sql, typescript, yaml });
