package dev.waybill.standalone.console;

import java.util.List;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;

/** An outbox with something of everything, written as rows: what a page shows of it does not depend on the moment. */
final class ExampleOutbox {
    private ExampleOutbox() {}

    static void fill(DSLContext dsl, String schema) {
        for (String statement :
                List.of(RELAYS, MESSAGES, REFUSAL, HOLDS, DEAD_LETTERS, ENTITIES, CONSUMERS, SCHEDULED)) {
            dsl.execute(statement.formatted(schema));
        }
    }

    /** A message that is held and a dead letter whose every text is the given one. */
    static void holdAndKill(DSLContext dsl, String schema, String text) {
        dsl.execute(EVIL_HOLD.formatted(schema), DSL.val(text));
        dsl.execute(EVIL_LETTER.formatted(schema), DSL.val(text));
    }

    private static final String EVIL_HOLD = """
            with h as (
              insert into %1$s.outbox_hold (destination, session_id, state, reason, description)
              values ({0}, {0}, 'parked', {0}, {0}) returning id)
            insert into %1$s.outbox_held_message (hold_id, message_id, session_id, payload, content_type, origin_position, origin_time)
            select id, {0}, {0}, convert_to({0}, 'UTF8'), 'text/plain', 1, clock_timestamp() from h
            """;

    private static final String EVIL_LETTER = """
            with m as (
              insert into %1$s.dead_letter_message (
                key, entity, sequence_number, enqueued_at, message_id, session_id, subject, payload, content_type,
                reason, description)
              values (gen_random_uuid(), {0}, 1, clock_timestamp(), {0}, {0}, {0}, convert_to({0}, 'UTF8'), 'text/plain', {0}, {0})
              returning id)
            insert into %1$s.dead_letter_state (id, state) select id, 'open' from m
            """;

    private static final String RELAYS = """
            with r as (
              insert into %1$s.relay (
                id, name, alive_until, follows_entities, serving, destinations, states, since, details, rates)
              select gen_random_uuid(), n, clock_timestamp() + interval '1 hour', true, '{orders,invoices,payments/eu}',
                '{orders,invoices,payments/eu}', '{flowing,flowing,flowing}',
                array[clock_timestamp(), clock_timestamp(), clock_timestamp()], '{"","",""}', '{0,0,0}'
              from unnest(array['relay-1', 'relay-2']) n
              returning id, name)
            insert into %1$s.outbox_destination (destination, owner, epoch)
            select d, (select id from r where name = case d when 'orders' then 'relay-1' else 'relay-2' end), 1
            from unnest(array['orders', 'invoices', 'payments/eu']) d
            """;

    private static final String MESSAGES = """
            insert into %1$s.outbox_message (destination, session_id, message_id, payload, created_at)
            select d, 's' || n %% 7, d || '-' || n, '{}', clock_timestamp() - n * interval '1 second'
            from unnest(array['orders', 'invoices', 'payments/eu']) d, generate_series(1, 40) n
            where d <> 'payments/eu' or n < 4
            """;

    private static final String REFUSAL = """
            update %1$s.outbox_destination
            set refused_at = clock_timestamp(), refusal_seen_at = clock_timestamp(), refusal_reason = 'amqp:not-found',
              refusal_description = 'The messaging entity invoices could not be found.'
            where destination = 'invoices'
            """;

    private static final String HOLDS = """
            with h as (
              insert into %1$s.outbox_hold (destination, session_id, state, reason, description)
              values ('orders', 'wallet-7', 'parked', 'amqp:link:message-size-exceeded', 'The message is too large.')
              returning id)
            insert into %1$s.outbox_held_message (hold_id, message_id, session_id, payload, content_type, origin_position, origin_time)
            select id, 'debit-' || n, 'wallet-7', convert_to('{"amount": 25, "note": "<b>große</b>"}', 'UTF8'),
              'application/json', n, clock_timestamp()
            from h, generate_series(42, 44) n
            """;

    private static final String DEAD_LETTERS = """
            with m as (
              insert into %1$s.dead_letter_message (
                key, entity, sequence_number, enqueued_at, message_id, session_id, subject, payload, content_type,
                reason, description)
              select gen_random_uuid(), 'orders', n, clock_timestamp(), 'orders-' || n, 's1', 'order.placed',
                convert_to('{"order": ' || n || '}', 'UTF8'), 'application/json', 'MaxDeliveryCountExceeded', 'no such wallet'
              from generate_series(1, 3) n returning id)
            insert into %1$s.dead_letter_state (id, state) select id, 'open' from m
            """;

    private static final String ENTITIES = """
            insert into %1$s.dead_letter_entity (entity, destination, alive_until)
            values ('orders', 'orders', clock_timestamp() + interval '1 hour')
            """;

    private static final String CONSUMERS = """
            insert into %1$s.inbox_instance (longest_attempt, consumer, id, alive_until)
            values (60000, 'ledger', gen_random_uuid(), clock_timestamp() + interval '1 hour')
            """;

    private static final String SCHEDULED = """
            insert into %1$s.outbox_scheduled (id, destination, message_id, payload, due_at)
            select n, 'orders', 'later-' || n, '{}', clock_timestamp() + interval '1 day' from generate_series(1, 5) n
            """;
}
