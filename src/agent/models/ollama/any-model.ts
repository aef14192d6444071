/** Name of whichever model Ollama lists first, until it has listed any. */
export const ANY_OLLAMA_MODEL = 'ollama';
