import { parse, stringify } from 'yaml'

export const parseYamlBody = (text: string): unknown => parse(text)
export const formatYaml = (value: unknown): string => stringify(value)
