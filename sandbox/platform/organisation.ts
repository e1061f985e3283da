import { faker } from '@faker-js/faker/locale/en';
import { createObjectIds, type Random } from './random.ts';

/** A person of the tenant's organisation, as `GET /users` lists it. */
interface User {
  _id: string;
  email: string;
  name: string;
  roles: string[];
}

/** What a user may do, as `GET /users/roles` lists it. */
interface Role {
  _id: string;
  name: string;
}

/** A supplier with its public profile. */
interface Supplier {
  publicId: string;
  name: string;
  country: string;
}

/** A questionnaire that suppliers fill in. */
interface Kit {
  _id: string;
  type: string;
  name: string;
}

/** A piece of work on a supplier connection; only open ones are listed. */
interface Task {
  _id: string;
  type: string;
  status: 'open' | 'completed';
  title: string;
  kitId: string;
  kitType: string;
  publicId: string;
  assignee: string;
  dueOn: string;
}

/** One customer of the platform with everything its events speak of. */
export interface Organisation {
  accountId: string;
  name: string;
  roles: Role[];
  users: User[];
  suppliers: Supplier[];
  kits: Kit[];
  tasks: Task[];
  /** Names of the adapter interfaces that are set up. */
  interfaces: string[];
}

const ROLES = ['administrator', 'company_it_administrator', 'buyer', 'approver', 'compliance_officer', 'viewer'];
const KITS = [
  'Supplier Code of Conduct',
  'Bank Details',
  'Information Security',
  'Carbon Disclosure',
  'Insurance Certificates',
  'Modern Slavery Statement',
  'Anti-Bribery',
  'Business Continuity',
];
const TASKS = ['review_answers', 'approve_connection', 'verify_bank_details', 'renew_document', 'assess_risk'];
const INTERFACES = ['eventbridge', 'erp'];
const DAY_MS = 86_400_000;

/** Creates an organisation of 40 users, 120 suppliers, 8 kits and 300 tasks whose dates lie around `nowMs`. */
export function createOrganisation({ random, nowMs }: { random: Random; nowMs: number }): Organisation {
  // Shared by the whole process, hence seeded here and used up before anyone else can draw from it.
  faker.seed(random.below(2 ** 32));
  const makeId = createObjectIds(random);
  const pastId = () => makeId(nowMs - random.below(1000 * DAY_MS));

  const domain = `${faker.internet.domainWord()}.example`;
  const kits = KITS.map((name) => ({ _id: pastId(), type: name.toLowerCase().replaceAll(/\W+/g, '_'), name }));
  const suppliers = Array.from({ length: 120 }, createSupplier);
  const users = Array.from({ length: 40 }, (_, index) => createUser({ random, domain, _id: pastId(), index }));

  const tasks = Array.from({ length: 300 }, (): Task => {
    const kit = random.pick(kits);
    const supplier = random.pick(suppliers);
    const type = random.pick(TASKS);
    return {
      _id: pastId(),
      type,
      status: random.chance(0.7) ? 'open' : 'completed',
      title: `${type.replaceAll('_', ' ')}: ${supplier.name}`,
      kitId: kit._id,
      kitType: kit.type,
      publicId: supplier.publicId,
      assignee: random.pick(users)._id,
      dueOn: new Date(nowMs + (random.below(60) - 20) * DAY_MS).toISOString(),
    };
  });

  const roles = ROLES.map((role) => ({ _id: role, name: role.replaceAll('_', ' ') }));
  const interfaces = [...INTERFACES];
  return { accountId: pastId(), name: faker.company.name(), roles, users, suppliers, kits, tasks, interfaces };
}

function createSupplier(): Supplier {
  return { publicId: faker.string.alphanumeric(10), name: faker.company.name(), country: faker.location.countryCode() };
}

/** The first user is the administrator without whom no organisation exists. */
function createUser(from: { random: Random; domain: string; _id: string; index: number }): User {
  const firstName = faker.person.firstName();
  const lastName = faker.person.lastName();
  const email = faker.internet.email({ firstName, lastName, provider: from.domain }).toLowerCase();
  const role = from.index === 0 ? 'administrator' : from.random.pick(ROLES.slice(1));
  return { _id: from._id, email, name: `${firstName} ${lastName}`, roles: [role] };
}
