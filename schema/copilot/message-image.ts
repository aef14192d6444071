import {
  messageImageUrl,
  type MessageImage as DomainMessageImage,
} from '../../src/domain/conversation/message-image.ts';
import { builder } from '../builder.ts';

/** A picture that a user sent; its bytes are asked for at `url`. */
export const MessageImage = builder.objectRef<DomainMessageImage>('MessageImage').implement({
  description: 'A picture that came with a message.',
  fields: (t) => ({
    url: t.string({
      description: 'Path on this server where it is read, by who sent it only.',
      resolve: messageImageUrl,
    }),
    contentType: t.exposeString('mediaType', { description: 'image/png, image/jpeg or image/webp.' }),
    width: t.exposeInt('width', { description: 'In pixels.' }),
    height: t.exposeInt('height', { description: 'In pixels.' }),
  }),
});
