package dev.waybill.benchmarks.process;

import dev.waybill.benchmarks.environment.OutboxSchema;

/**
 * The tables that an operator looks at after a bad month: dead letters of ten entities, five reasons and many sessions,
 * a tenth of them open, and sessions that are held before the broker and at a consumer.
 *
 * @param letters dead letters
 * @param holds of each side
 */
record ConsoleLoad(int letters, int holds) {
    private static final int AT_ONCE = 500_000;

    void fill(OutboxSchema schema) {
        String name = schema.name().value();
        for (int first = 1; first <= letters; first += AT_ONCE) {
            schema.runScript(letters(name, first, Math.min(letters, first + AT_ONCE - 1)));
        }
        schema.runScript(holds(name, "outbox", "orders"));
        schema.runScript(holds(name, "inbox", "ledger"));
        schema.runScript("analyze");
    }

    private static String letters(String schema, int first, int last) {
        return """
                with letter as (
                  insert into %1$s.dead_letter_message (key, entity, sequence_number, enqueued_at, reason, description,
                    session_id, message_id, subject, content_type, headers, body_kind, payload, collected_at)
                  select md5(n::text)::uuid, 'queue-' || n %% 10, n, now() - interval '30 days' + n * interval '200 ms',
                    (array['MaxDeliveryCountExceeded', 'TTLExpiredException', 'Rejected', 'Unreadable', ''])[1 + n %% 5],
                    'the handler failed with an exception that tells of it in a few words',
                    'session-' || n %% 500000, 'message-' || n, 'payment', 'application/json', '{"tenant":"t"}', 'data',
                    convert_to('{"txId":"tx-' || n || '","kind":"credit","amountCents":250}', 'UTF8'),
                    now() - interval '30 days' + n * interval '200 ms'
                  from generate_series(%2$d, %3$d) n
                  returning id)
                insert into %1$s.dead_letter_state (id, state, changed_at)
                select id, case when id %% 10 = 0 then 'open' when id %% 10 < 9 then 'redriven' else 'discarded' end,
                  now() - interval '1 day'
                from letter
                """.formatted(schema, first, last);
    }

    private String holds(String schema, String side, String scope) {
        return """
                with held as (
                  insert into %1$s.%2$s_hold (%5$s, session_id, state, reason, description, attempts, held_at)
                  select '%3$s', 'session-' || n, 'parked',
                    (array['amqp:link:message-size-exceeded', 'Poison', 'Timeout'])[1 + n %% 3], 'it was refused', 5,
                    now() - n * interval '1 s'
                  from generate_series(1, %4$d) n
                  returning id, session_id)
                insert into %1$s.%2$s_held_message (hold_id, origin_position, origin_time, session_id, message_id, payload)
                select id, id * 3 + m, now(), session_id, 'held-' || id || '-' || m, convert_to('{"n":1}', 'UTF8')
                from held cross join generate_series(1, 3) m
                """.formatted(schema, side, scope, holds, side.equals("outbox") ? "destination" : "consumer");
    }
}
