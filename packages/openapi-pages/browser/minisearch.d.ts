// The server serves the library beside the scripts.
export { default } from 'minisearch'
