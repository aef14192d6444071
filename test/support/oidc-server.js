/**
 * A provider of OpenID Connect as a process of its own: `node oidc-server.js PORT REDIRECT_URI [claims-in-id-token]`. Whoever
 * signs in as `rin+lab` is rin of the group lab, whoever signs in as a JSON object has the claims in it, and with `userinfo`
 * in it these where claims are asked for beside the ID token; any password does. Prints `ready`.
 */
import { text } from 'node:stream/consumers';
import Provider from 'oidc-provider';

const [port, redirectUri, ...options] = process.argv.slice(2);
const issuer = `http://127.0.0.1:${port}`;

/** Claims of those who signed in by them, by subject; the last ones count. */
const described = new Map();

function claimsOf(id) {
  if (described.has(id)) return described.get(id);
  const [name, ...groups] = id.split('+');
  return { sub: name, name, email: `${name}@lab.example`, email_verified: true, groups };
}

const provider = new Provider(issuer, {
  clients: [{ client_id: 'qpilot', client_secret: 'of the client', redirect_uris: [redirectUri] }],
  claims: { openid: ['sub'], profile: ['name', 'groups'], email: ['email', 'email_verified'] },
  conformIdTokenClaims: !options.includes('claims-in-id-token'),
  pkce: { required: () => true },
  cookies: { keys: ['test'] },
  findAccount: (_context, id) => ({ accountId: id, claims: () => claimsOf(id) }),
});
provider.use(async (context, next) => {
  if (context.method === 'POST' && context.path.startsWith('/interaction/')) {
    const body = Object.fromEntries(new URLSearchParams(await text(context.req)));
    if (body.login?.startsWith('{"')) {
      const claims = { email_verified: true, ...JSON.parse(body.login) };
      described.set(claims.sub, claims);
      body.login = claims.sub;
    }
    context.req.body = body;
  }
  await next();
  if (context.path === '/me') Object.assign(context.body, claimsOf(context.body.sub).userinfo);
});
provider.listen(Number(port), '127.0.0.1', () => process.stdout.write('ready\n'));
