import { expect, test } from 'vitest';
import { answersOf, listAnswers } from '../../shared/platform/answers.ts';

const META = {
  lastUpdateOn: '2026-01-15T12:00:00.000Z',
  lastUpdatedBy: { _id: '1', email: 'ada@buyer.example', name: 'Ada' },
  overrideScore: 3.5,
  overrideRisk: 'low',
  overrideNotes: 'seen',
  overrideBy: {
    _id: '2',
    email: 'bob@buyer.example',
    name: 'Bob',
    phoneNumber: '+371 20000000',
    phoneNumberInfo: {
      country: 'LV',
      countryCallingCode: '371',
      nationalNumber: '20000000',
      number: '+37120000000',
      __countryCallingCodeSource: 'FROM_NUMBER_WITH_PLUS_SIGN',
    },
  },
  overrideOn: '2026-01-16T12:00:00.000Z',
  question: { label: 'City', type: 'text', isCalculated: false },
  score: '4',
  maxScore: '5',
  risk: 'medium',
};

test('gives every answer with its metadata, whole', () => {
  expect(listAnswers({ city: 'Riga', city__meta: META, staff: 7 })).toEqual([
    { key: 'city', value: 'Riga', metadata: META },
    { key: 'staff', value: 7 },
  ]);
});

test('finds answers that stand under a name of their own, and those that do not', () => {
  expect(answersOf({ publicId: 'x', answers: { city: 'Riga' } })).toEqual({ city: 'Riga' });
  expect(answersOf({ city: 'Riga', answers: ['a list is an answer itself'] })).toHaveProperty('city', 'Riga');
});

test('leaves out of the metadata what is not as specified, and keeps what nobody knows', () => {
  const odd = { ...META, overrideScore: null, question: 'City?', overrideBy: { name: 7, email: 'b@x' }, weight: 2 };
  const [answer] = listAnswers({ city: null, city__meta: odd });
  expect(answer).toMatchObject({ value: null, metadata: { risk: 'medium', weight: 2, overrideBy: { email: 'b@x' } } });
  expect(answer?.metadata?.question).toBeUndefined();
  expect(answer?.metadata?.overrideScore).toBeUndefined();
  expect(answer?.metadata?.overrideBy?.name).toBeUndefined();
});

test('takes metadata of no answer for an answer', () => {
  expect(listAnswers({ lonely__meta: META })).toEqual([{ key: 'lonely__meta', value: META }]);
});
