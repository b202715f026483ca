import { chooseDefaultStream } from '../../../src/image-sets/defaultStream.ts'
import { classifyImage, groupImages } from '../../../src/image-sets/groupImages.ts'
import { osImageTags } from '../../../src/image-sets/releaseTags.ts'
import { findStreamSet } from '../../../src/image-sets/streamSet.ts'
import type { Adapter } from '../adapter.ts'

export const adapter: Adapter = {
  run(topic, input) {
    if (topic === 'tags') return { images: osImageTags(input.tags) }
    if (topic === 'group') return { images: input.images.map(classifyImage), sets: groupImages(input.images) }
    if (topic === 'by-name') {
      const found = findStreamSet(input.stream, input.name)
      return found.kind === 'found' ? { set: found.set } : { error: found.message }
    }
    const chosen = chooseDefaultStream({ ...input, available: input.streams })
    return chosen.kind === 'chosen' ? { default: chosen.name } : { error: chosen.message }
  },
}
