import { expect, test } from 'vitest'
import { groupImages, imageLabel } from './groupImages.ts'

const os = (image: string, stream: string) => ({
  image,
  labels: { [imageLabel.streamClass]: stream, [imageLabel.bootc]: 'true' },
})
const extensions = (image: string, stream: string) => ({
  image,
  labels: { [imageLabel.streamClass]: stream, [imageLabel.extensions]: 'true' },
})

test('groupImages pairs the images of each stream, sorted, the last of a kind winning', () => {
  expect(
    groupImages([os('os-b', 'b'), extensions('e-b', 'b'), os('old', 'a'), os('os-a', 'a'), extensions('e-a', 'a')]),
  ).toEqual([
    { name: 'a', osImage: 'os-a', osExtensionsImage: 'e-a' },
    { name: 'b', osImage: 'os-b', osExtensionsImage: 'e-b' },
  ])
})

test('groupImages leaves out a stream with one image only', () => {
  expect(groupImages([os('os-a', 'a'), extensions('e-b', 'b')])).toEqual([])
})
