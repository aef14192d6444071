/**
 * A provider of OpenID Connect as a process of its own: `node oidc-server.js PORT REDIRECT_URI`. Whoever signs in as `rin+lab`
 * is rin of the group lab; any password does. Prints `ready`.
 */
import Provider from 'oidc-provider';

const [port, redirectUri] = process.argv.slice(2);
const issuer = `http://127.0.0.1:${port}`;
const provider = new Provider(issuer, {
  clients: [{ client_id: 'qpilot', client_secret: 'of the client', redirect_uris: [redirectUri] }],
  claims: { openid: ['sub'], profile: ['name', 'groups'], email: ['email', 'email_verified'] },
  pkce: { required: () => true },
  cookies: { keys: ['test'] },
  findAccount: (_context, id) => {
    const [name, ...groups] = id.split('+');
    const email = `${name}@lab.example`;
    return { accountId: id, claims: () => ({ sub: name, name, email, email_verified: true, groups }) };
  },
});
provider.listen(Number(port), '127.0.0.1', () => process.stdout.write('ready\n'));
