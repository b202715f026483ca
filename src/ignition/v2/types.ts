/**
 * Ignition spec 2.2 (public configuration specification v2.2.0), as far as it can become a 3.5 config. Members that are
 * not nullable there (empty string, false, 0) are simply absent here.
 */
export interface V2Config {
  readonly ignition: {
    readonly config?: { readonly append?: readonly V2Reference[]; readonly replace?: V2Reference }
    readonly security?: { readonly tls?: { readonly certificateAuthorities?: readonly V2Reference[] } }
    readonly timeouts?: { readonly httpResponseHeaders?: number; readonly httpTotal?: number }
    readonly version: string
  }
  readonly networkd?: { readonly units?: readonly V2Unit[] }
  readonly passwd?: { readonly groups?: readonly V2Group[]; readonly users?: readonly V2User[] }
  readonly storage?: V2Storage
  readonly systemd?: { readonly units?: readonly V2Unit[] }
}

export interface V2Reference {
  readonly compression?: string
  readonly source?: string
  readonly verification?: { readonly hash?: string }
}

export interface V2Storage {
  readonly directories?: readonly V2Directory[]
  readonly disks?: readonly V2Disk[]
  readonly files?: readonly V2File[]
  readonly filesystems?: readonly V2Filesystem[]
  readonly links?: readonly V2Link[]
  readonly raid?: readonly V2Raid[]
}

export interface V2Owner {
  readonly id?: number
  readonly name?: string
}

export interface V2Node {
  readonly filesystem?: string
  readonly group?: V2Owner
  readonly overwrite?: boolean
  readonly path?: string
  readonly user?: V2Owner
}

export interface V2Directory extends V2Node {
  readonly mode?: number
}

export interface V2File extends V2Node {
  readonly append?: boolean
  readonly contents?: V2Reference
  readonly mode?: number
}

export interface V2Link extends V2Node {
  readonly hard?: boolean
  readonly target?: string
}

export interface V2Disk {
  readonly device?: string
  readonly partitions?: readonly V2Partition[]
  readonly wipeTable?: boolean
}

/** Sizes count sectors of 512 bytes. */
export interface V2Partition {
  readonly guid?: string
  readonly label?: string
  readonly number?: number
  readonly size?: number
  readonly start?: number
  readonly typeGuid?: string
}

export interface V2Filesystem {
  readonly mount?: V2Mount
  readonly name?: string
  readonly path?: string
}

export interface V2Mount {
  readonly create?: { readonly force?: boolean; readonly options?: readonly string[] }
  readonly device?: string
  readonly format?: string
  readonly label?: string
  readonly options?: readonly string[]
  readonly uuid?: string
  readonly wipeFilesystem?: boolean
}

export interface V2Raid {
  readonly devices?: readonly string[]
  readonly level?: string
  readonly name?: string
  readonly options?: readonly string[]
  readonly spares?: number
}

export interface V2Group {
  readonly gid?: number
  readonly name?: string
  readonly passwordHash?: string
  readonly system?: boolean
}

export interface V2User {
  readonly create?: object
  readonly gecos?: string
  readonly groups?: readonly string[]
  readonly homeDir?: string
  readonly name?: string
  readonly noCreateHome?: boolean
  readonly noLogInit?: boolean
  readonly noUserGroup?: boolean
  readonly passwordHash?: string
  readonly primaryGroup?: string
  readonly shell?: string
  readonly sshAuthorizedKeys?: readonly string[]
  readonly system?: boolean
  readonly uid?: number
}

/** Also a networkd unit, which has only contents, drop-ins and name. */
export interface V2Unit {
  readonly contents?: string
  readonly dropins?: readonly { readonly contents?: string; readonly name?: string }[]
  readonly enable?: boolean
  readonly enabled?: boolean
  readonly mask?: boolean
  readonly name?: string
}
