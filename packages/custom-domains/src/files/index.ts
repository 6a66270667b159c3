// The door to the files of the storage, for tools: reading them while no server holds the folder.
export { parseConfiguration } from '../state/configuration.ts'
export { damagedRecords, type ExportedFiles, type ExportOptions, exportFiles } from './export.ts'
export { BATCH, parseBatch } from './storage.ts'
