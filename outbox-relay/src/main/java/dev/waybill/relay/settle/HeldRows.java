package dev.waybill.relay.settle;

import static org.jooq.impl.DSL.val;

import dev.waybill.hold.Cause;
import dev.waybill.relay.send.Blocked;
import dev.waybill.schema.SchemaName;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jspecify.annotations.Nullable;

/** Moves rows from the outbox to holds, where this relay is still the owner. Immutable. */
public final class HeldRows {
    private final DSLContext dsl;
    private final SchemaName schema;

    /** @param dsl whose transactions wait for locks only briefly */
    public HeldRows(DSLContext dsl, SchemaName schema) {
        this.dsl = dsl;
        this.schema = schema;
    }

    /**
     * Moves the rows in one transaction.
     *
     * @param rows in the order of their values
     * @return the values of those that moved; empty if the destination has another owner. A refused row that is not there any
     *     more makes no hold; a row whose hold has ended stays where it is, to be read again
     */
    public Optional<Set<Long>> move(String destination, long epoch, List<Blocked> rows) {
        return dsl.transactionResult(tx -> {
            tx.dsl().execute("set transaction isolation level read committed");
            tx.dsl().fetch(SETTINGS);
            if (tx.dsl()
                    .fetch(OWNED.formatted(schema), val(destination), val(epoch))
                    .isEmpty()) {
                return Optional.empty();
            }
            tx.dsl().fetch(LOCK.formatted(schema), val(destination), texts(rows, HeldRows::key));
            Set<Long> moved = moveAll(
                    tx.dsl(),
                    HOLD,
                    destination,
                    rows.stream().filter(row -> row.cause() != null).toList());
            moved.addAll(moveAll(
                    tx.dsl(),
                    JOIN,
                    destination,
                    rows.stream().filter(row -> row.cause() == null).toList()));
            tx.dsl().execute(END_EMPTY.formatted(schema), val(destination), texts(rows, HeldRows::key));
            return Optional.of(moved);
        });
    }

    private Set<Long> moveAll(DSLContext tx, String sql, String destination, List<Blocked> rows) {
        return tx.fetch(
                        sql.formatted(schema),
                        val(destination),
                        val(rows.stream().map(row -> row.key().seq()).toArray(Long[]::new)),
                        texts(rows, row -> row.key().messageId()),
                        texts(rows, Blocked::session),
                        texts(rows, HeldRows::aloneId),
                        texts(rows, HeldRows::key),
                        texts(rows, row -> part(row.cause(), Cause::reason)),
                        texts(rows, row -> part(row.cause(), Cause::description)))
                .intoSet(0, Long.class);
    }

    private static @Nullable String part(@Nullable Cause cause, Function<Cause, String> part) {
        return cause == null ? null : part.apply(cause);
    }

    // As the table computes it: a length in front of the session's name, in characters as PostgreSQL counts them.
    private static String key(Blocked row) {
        String session = row.session();
        String first = session == null ? "-" : session.codePointCount(0, session.length()) + ":" + session;
        return row.alone() ? first + "/" + row.key().messageId() : first;
    }

    private static @Nullable String aloneId(Blocked row) {
        return row.alone() ? row.key().messageId() : null;
    }

    private static Field<String[]> texts(List<Blocked> rows, Function<Blocked, @Nullable String> text) {
        return val(rows.stream().map(text).toArray(String[]::new));
    }

    // A database's default for statements may be shorter than the wait for a lock, and would make a failure of it.
    // Without nulls in arrays, a null arrives as the text NULL: the hold of a session would be that of a message of
    // this name.
    private static final String SETTINGS = """
            select set_config('lock_timeout', '250ms', true), set_config('statement_timeout', '30s', true),
              set_config('array_nulls', 'on', true), set_config('enable_seqscan', 'off', true)
            """;

    private static final String OWNED =
            "select from %1$s.outbox_destination where destination = {0} and epoch = {1} for share";

    private static final String LOCK = """
            select from %1$s.outbox_hold where destination = {0} and key = any({1}) order by key for update
            """;

    // A message that is being erased leaves the outbox and comes into no hold.
    private static final String END_EMPTY = """
            delete from %1$s.outbox_hold h
            where h.destination = {0} and h.key = any({1})
              and not exists (select from %1$s.outbox_held_message m where m.hold_id = h.id)
            """;

    // A hold is made only together with a row that this statement moves: a row that another owner has moved meanwhile
    // makes none.
    private static final String HOLD = """
            with given as (
              select * from unnest({1}, {2}, {3}, {4}, {5}, {6}, {7}) with ordinality
                as g (seq, message_id, session, alone, key, reason, description, place)
            ), moved as (
              delete from %1$s.outbox_message m using given g
              where m.destination = {0} and m.seq = g.seq and m.message_id = g.message_id
              returning g.key, g.place, g.session, g.alone, g.reason, g.description, m.*
            ), opened as (
              insert into %1$s.outbox_hold as h (destination, session_id, message_id, state, reason, description, times_parked)
              select distinct on (key) destination, session, alone, 'parked', reason, description, 1
              from moved order by key, place
              on conflict (destination, key) do update set
                state = 'parked', reason = excluded.reason, description = excluded.description,
                times_parked = h.times_parked + case h.state when 'parked' then 0 else 1 end,
                changed_at = clock_timestamp()
              returning id, key
            )
            insert into %1$s.outbox_held_message (
              hold_id, origin_position, origin_time, session_id, message_id, broker_message_id, partition_key, subject,
              content_type, correlation_id, to_address, reply_to, reply_to_session_id, time_to_live,
              scheduled_enqueue_time, headers, payload)
            select h.id, m.seq, m.created_at, m.session_id, m.message_id, m.broker_message_id, m.partition_key, m.subject,
              m.content_type, m.correlation_id, m.to_address, m.reply_to, m.reply_to_session_id, m.time_to_live,
              m.scheduled_enqueue_time, m.headers::text, m.payload
            from moved m join opened h on h.key = m.key
            order by m.place
            on conflict do nothing
            returning origin_position
            """;

    // Only rows whose hold is there, and locked, leave the outbox.
    private static final String JOIN = """
            with given as (
              select g.*, h.id as hold_id
              from unnest({1}, {2}, {3}, {4}, {5}, {6}, {7}) with ordinality
                as g (seq, message_id, session, alone, key, reason, description, place)
              join %1$s.outbox_hold h on h.destination = {0} and h.key = g.key
            ), moved as (
              delete from %1$s.outbox_message m using given g
              where m.destination = {0} and m.seq = g.seq and m.message_id = g.message_id
              returning g.hold_id, g.place, m.*
            )
            insert into %1$s.outbox_held_message (
              hold_id, origin_position, origin_time, session_id, message_id, broker_message_id, partition_key, subject,
              content_type, correlation_id, to_address, reply_to, reply_to_session_id, time_to_live,
              scheduled_enqueue_time, headers, payload)
            select m.hold_id, m.seq, m.created_at, m.session_id, m.message_id, m.broker_message_id, m.partition_key, m.subject,
              m.content_type, m.correlation_id, m.to_address, m.reply_to, m.reply_to_session_id, m.time_to_live,
              m.scheduled_enqueue_time, m.headers::text, m.payload
            from moved m
            order by m.place
            on conflict do nothing
            returning origin_position
            """;
}
