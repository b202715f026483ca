/**
 * Ignition spec 3.5 (the internal form) as types. Shapes come from the public Ignition configuration specification v3.5.0;
 * `null` is never kept: an absent optional member is absent. So is an empty object; a list that is given as `[]` stays one
 * (the original tells it from an absent one when it compares files).
 * Members stand in the order of the specification's types: that order is the order of the exact JSON text.
 */
export interface IgnitionConfig {
  readonly ignition: Ignition
  readonly kernelArguments?: IgnitionKernelArguments
  readonly passwd?: Passwd
  readonly storage?: Storage
  readonly systemd?: Systemd
}

export interface Ignition {
  readonly config?: { readonly merge?: readonly Resource[]; readonly replace?: Resource }
  readonly proxy?: { readonly httpProxy?: string; readonly httpsProxy?: string; readonly noProxy?: readonly string[] }
  readonly security?: { readonly tls?: { readonly certificateAuthorities?: readonly Resource[] } }
  readonly timeouts?: { readonly httpResponseHeaders?: number; readonly httpTotal?: number }
  readonly version: string
}

/** A remote or inline content. `source` is a URL; `compression` is `gzip`, empty or absent. */
export interface Resource {
  readonly compression?: string
  readonly httpHeaders?: readonly HttpHeader[]
  readonly source?: string
  readonly verification?: { readonly hash?: string }
}

interface HttpHeader {
  readonly name: string
  readonly value?: string
}

export interface IgnitionKernelArguments {
  readonly shouldExist?: readonly string[]
  readonly shouldNotExist?: readonly string[]
}

interface Passwd {
  readonly groups?: readonly PasswdGroup[]
  readonly users?: readonly PasswdUser[]
}

export interface PasswdGroup {
  readonly gid?: number
  readonly name: string
  readonly passwordHash?: string
  readonly shouldExist?: boolean
  readonly system?: boolean
}

export interface PasswdUser {
  readonly gecos?: string
  readonly groups?: readonly string[]
  readonly homeDir?: string
  readonly name: string
  readonly noCreateHome?: boolean
  readonly noLogInit?: boolean
  readonly noUserGroup?: boolean
  readonly passwordHash?: string
  readonly primaryGroup?: string
  readonly shell?: string
  readonly shouldExist?: boolean
  readonly sshAuthorizedKeys?: readonly string[]
  readonly system?: boolean
  readonly uid?: number
}

export interface Storage {
  readonly directories?: readonly Directory[]
  readonly disks?: readonly Disk[]
  readonly files?: readonly File[]
  readonly filesystems?: readonly Filesystem[]
  readonly links?: readonly Link[]
  readonly luks?: readonly Luks[]
  readonly raid?: readonly Raid[]
}

export interface NodeOwner {
  readonly id?: number
  readonly name?: string
}

/** What a file, directory and link share. */
export interface Node {
  readonly group?: NodeOwner
  readonly overwrite?: boolean
  readonly path: string
  readonly user?: NodeOwner
}

export interface Directory extends Node {
  readonly mode?: number
}

export interface File extends Node {
  readonly append?: readonly Resource[]
  readonly contents?: Resource
  readonly mode?: number
}

export interface Link extends Node {
  readonly hard?: boolean
  readonly target?: string
}

export interface Disk {
  readonly device: string
  readonly partitions?: readonly Partition[]
  readonly wipeTable?: boolean
}

export interface Partition {
  readonly guid?: string
  readonly label?: string
  /** 0 means "no number given". */
  readonly number?: number
  readonly resize?: boolean
  readonly shouldExist?: boolean
  readonly sizeMiB?: number
  readonly startMiB?: number
  readonly typeGuid?: string
  readonly wipePartitionEntry?: boolean
}

export interface Filesystem {
  readonly device: string
  readonly format?: string
  readonly label?: string
  readonly mountOptions?: readonly string[]
  readonly options?: readonly string[]
  readonly path?: string
  readonly uuid?: string
  readonly wipeFilesystem?: boolean
}

export interface Luks {
  readonly cex?: { readonly enabled?: boolean }
  readonly clevis?: Clevis
  readonly device?: string
  readonly discard?: boolean
  readonly keyFile?: Resource
  readonly label?: string
  readonly name: string
  readonly openOptions?: readonly string[]
  readonly options?: readonly string[]
  readonly uuid?: string
  readonly wipeVolume?: boolean
}

export interface Clevis {
  readonly custom?: { readonly config?: string; readonly needsNetwork?: boolean; readonly pin?: string }
  readonly tang?: readonly { readonly advertisement?: string; readonly thumbprint?: string; readonly url: string }[]
  readonly threshold?: number
  readonly tpm2?: boolean
}

export interface Raid {
  readonly devices?: readonly string[]
  readonly level?: string
  readonly name: string
  readonly options?: readonly string[]
  readonly spares?: number
}

export interface Systemd {
  readonly units?: readonly Unit[]
}

export interface Unit {
  readonly contents?: string
  readonly dropins?: readonly Dropin[]
  readonly enabled?: boolean
  readonly mask?: boolean
  readonly name: string
}

export interface Dropin {
  readonly contents?: string
  readonly name: string
}
