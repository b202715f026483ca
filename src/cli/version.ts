import { version as packageVersion } from '../../package.json' with { type: 'json' }

/** The version of this build, as in package.json. */
export const version: string = packageVersion
