/** What kind of value a question takes. */
export type QuestionType =
  | 'text'
  | 'number'
  | 'date'
  | 'yes_no'
  | 'choice'
  | 'country'
  | 'currency'
  | 'language'
  | 'file'
  | 'group';

/** A question of a profile or a kit. */
export interface Question {
  key: string;
  label: string;
  type: QuestionType;
  /** Made-up answers of a text. */
  samples?: readonly string[];
  /** Display value of each value of a choice. */
  choices?: Readonly<Record<string, string>>;
  /** What every instance of a group holds. */
  fields?: readonly Question[];
  /** True where the platform works the answer out, so that nobody can give it. */
  isCalculated?: boolean;
}

const RISK = { low: 'Low', medium: 'Medium', high: 'High' };

/** The questions of a supplier's public profile. */
export const PROFILE_QUESTIONS: readonly Question[] = [
  {
    key: 'legalName',
    label: 'Legal name',
    type: 'text',
    samples: ['Example Supplies Ltd', 'Example Supplies Group plc', 'Example Supplies Europe BV'],
  },
  { key: 'taxId', label: 'Tax number', type: 'text', samples: ['DE811569869', 'GB999999973', 'FR40303265045'] },
  {
    key: 'registeredAddress',
    label: 'Registered address',
    type: 'text',
    samples: ['1 Harbour Road, Bristol', 'Lindenstrasse 12, 10969 Berlin', '8 rue de Lyon, 75012 Paris'],
  },
  {
    key: 'primaryContactEmail',
    label: 'E-mail of the primary contact',
    type: 'text',
    samples: ['accounts@supplier.example', 'sales@supplier.example', 'finance@supplier.example'],
  },
  {
    key: 'bankAccountIban',
    label: 'IBAN',
    type: 'text',
    samples: ['DE89370400440532013000', 'GB29NWBK60161331926819', 'FR1420041010050500013M02606'],
  },
  { key: 'bankSwiftCode', label: 'BIC', type: 'text', samples: ['COBADEFFXXX', 'NWBKGB2L', 'PSSTFRPPLIL'] },
  {
    key: 'bankAccountHolder',
    label: 'Holder of the bank account',
    type: 'text',
    samples: ['Treasury Services Ltd', 'Example Holdings BV', 'Northern Trading GmbH'],
  },
  {
    key: 'annualRevenueBand',
    label: 'Annual revenue',
    type: 'choice',
    choices: {
      under_1m: 'Under 1 million',
      '1m_10m': '1 to 10 million',
      '10m_50m': '10 to 50 million',
      over_50m: 'Over 50 million',
    },
  },
  {
    key: 'employeeCount',
    label: 'Employees',
    type: 'choice',
    choices: { '1-9': '1 to 9', '10-49': '10 to 49', '50-249': '50 to 249', '250+': '250 or more' },
  },
  {
    key: 'iso27001Certified',
    label: 'ISO/IEC 27001 certificate',
    type: 'choice',
    choices: { yes: 'Yes', no: 'No', in_progress: 'In progress' },
  },
  {
    key: 'modernSlaveryStatement',
    label: 'Modern slavery statement',
    type: 'choice',
    choices: { published: 'Published', not_required: 'Not required', draft: 'Draft' },
  },
  { key: 'riskLevel', label: 'Risk level', type: 'choice', choices: RISK },
  { key: 'country', label: 'Country of registration', type: 'country' },
  { key: 'invoiceCurrency', label: 'Currency of invoices', type: 'currency' },
  { key: 'preferredLanguage', label: 'Preferred language', type: 'language' },
  { key: 'vatRegistered', label: 'Registered for value-added tax', type: 'yes_no' },
  { key: 'yearFounded', label: 'Founded in the year', type: 'number' },
  { key: 'insuredUntil', label: 'Insured until', type: 'date' },
  { key: 'insuranceCertificate', label: 'Certificate of insurance', type: 'file' },
  {
    key: 'sites',
    label: 'Sites',
    type: 'group',
    fields: [
      {
        key: 'siteName',
        label: 'Name of the site',
        type: 'text',
        samples: ['Main works', 'Warehouse', 'Sales office'],
      },
      { key: 'siteCountry', label: 'Country of the site', type: 'country' },
      { key: 'siteOwned', label: 'Owned by the supplier', type: 'yes_no' },
    ],
  },
  { key: 'completeness', label: 'Completeness in per cent', type: 'number', isCalculated: true },
];

/** The questions of every kit; the sandbox asks the same in all of them. */
export const KIT_QUESTIONS: readonly Question[] = [
  { key: 'hasPolicy', label: 'Is there a written policy?', type: 'yes_no' },
  { key: 'policyDocument', label: 'The policy', type: 'file' },
  { key: 'lastAudit', label: 'Last audited on', type: 'date' },
  { key: 'auditedIn', label: 'Audited in', type: 'country' },
  { key: 'budget', label: 'Yearly budget', type: 'number' },
  { key: 'budgetCurrency', label: 'Currency of the budget', type: 'currency' },
  { key: 'trainingLanguage', label: 'Language of trainings', type: 'language' },
  { key: 'selfAssessment', label: 'Own assessment of the risk', type: 'choice', choices: RISK },
  {
    key: 'responsible',
    label: 'Who is responsible',
    type: 'group',
    fields: [
      { key: 'responsibleName', label: 'Name', type: 'text', samples: ['A. Novak', 'M. Okafor', 'L. Schmidt'] },
      { key: 'responsibleCountry', label: 'Works in', type: 'country' },
    ],
  },
  { key: 'totalScore', label: 'Score of the kit', type: 'number', isCalculated: true },
];

/** Gives what an answer may be changed to by way of example, none where the sandbox changes it only when asked to. */
export function exampleValues({ samples, choices }: Question): readonly string[] {
  return samples ?? Object.keys(choices ?? {});
}
