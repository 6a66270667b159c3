// npm run build, and the first step of npm start: writes dist/ if a source has changed since.
import { isBuilt } from './sources.js'

if (!isBuilt()) await import('./compile.js')
