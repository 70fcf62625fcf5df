package dev.waybill.relay.read;

import dev.waybill.message.MessageContent;
import dev.waybill.relay.OutboxRow;
import dev.waybill.relay.connect.LoopConnection;
import dev.waybill.relay.connect.LoopConnection.Durability;
import dev.waybill.relay.read.ReadHeader.DestinationState;
import dev.waybill.relay.read.ReadRequest.Asked;
import dev.waybill.relay.read.ReadResult.ReadRow;
import dev.waybill.relay.read.ReadResult.Rows;
import dev.waybill.schema.SchemaName;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads what waits, for all destinations that are due, in one statement. Confined to the loop's thread. */
public final class OutboxReader {
    private final LoopConnection connection;
    private final String sql;

    /** A reader of the tables in a schema. */
    public OutboxReader(LoopConnection connection, SchemaName schema) {
        this.connection = connection;
        this.sql = READ.formatted(schema);
    }

    /** Reads once. */
    public ReadResult read(ReadRequest request) {
        return connection.run(
                sql,
                Durability.ASYNCHRONOUS,
                (open, statement) -> set(open, statement, request),
                rows -> result(rows, request));
    }

    private static void set(Connection open, PreparedStatement statement, ReadRequest request) throws SQLException {
        statement.setArray(1, array(open, "text", request.asked(), Asked::destination));
        statement.setArray(2, array(open, "bigint", request.asked(), Asked::floor));
        statement.setArray(3, array(open, "integer", request.asked(), Asked::rows));
        statement.setArray(4, array(open, "integer", request.asked(), Asked::fullLanes));
        statement.setObject(5, request.relay());
        statement.setArray(6, open.createArrayOf("bigint", request.inMemory().toArray()));
        statement.setLong(7, request.maxBytes());
    }

    private static <T> Array array(Connection open, String type, List<T> values, Function<T, Object> part)
            throws SQLException {
        return open.createArrayOf(type, values.stream().map(part).toArray());
    }

    private static ReadResult result(ResultSet set, ReadRequest request) throws SQLException {
        @Nullable ReadHeader header = null;
        var found = new HashMap<String, List<ReadRow>>();
        var bytes = new HashMap<String, Long>();
        while (set.next()) {
            if (set.getInt(1) == 0) {
                header = header(set, request);
            } else {
                String destination = set.getString(9);
                found.computeIfAbsent(destination, name -> new ArrayList<>()).add(row(set));
                bytes.put(destination, set.getLong(10));
            }
        }
        var rows = new HashMap<String, Rows>();
        for (Asked asked : request.asked()) {
            List<ReadRow> own = found.get(asked.destination());
            if (own != null) {
                boolean cut =
                        own.size() >= asked.rows() || bytes.getOrDefault(asked.destination(), 0L) >= request.maxBytes();
                rows.put(asked.destination(), new Rows(own, cut));
            }
        }
        return new ReadResult(Objects.requireNonNull(header, "A read has one header"), rows);
    }

    private static ReadHeader header(ResultSet set, ReadRequest request) throws SQLException {
        var states = new ArrayList<DestinationState>();
        Long[] epochs = (Long[]) set.getArray(7).getArray();
        Boolean[] open = (Boolean[]) set.getArray(8).getArray();
        for (int i = 0; i < epochs.length; i++) {
            states.add(new DestinationState(request.asked().get(i).destination(), epochs[i], open[i]));
        }
        return new ReadHeader(
                Snapshot.parse(set.getString(2)),
                set.getLong(3),
                set.getString(4),
                set.getString(5),
                set.getBoolean(6),
                states);
    }

    private static ReadRow row(ResultSet set) throws SQLException {
        int lane = set.getInt(11);
        boolean held = set.getBoolean(12);
        var appended = OptionalLong.of(System.nanoTime() - set.getLong(14) * 1_000);
        return new ReadRow(lane, new OutboxRow(set.getLong(13), held, content(set), appended));
    }

    private static MessageContent content(ResultSet row) throws SQLException {
        int column = 15;
        @Nullable String session = row.getString(column++);
        var content = MessageContent.builder(row.getString(column++))
                .sessionId(session)
                .brokerMessageId(row.getString(column++))
                .partitionKey(row.getString(column++))
                .subject(row.getString(column++))
                .contentType(row.getString(column++))
                .correlationId(row.getString(column++))
                .toAddress(row.getString(column++))
                .replyTo(row.getString(column++))
                .replyToSessionId(row.getString(column++));
        long millis = row.getLong(column++);
        content.timeToLive(row.wasNull() ? null : Duration.ofMillis(millis));
        @Nullable OffsetDateTime scheduled = row.getObject(column++, OffsetDateTime.class);
        return content.scheduledEnqueueTime(scheduled == null ? null : scheduled.toInstant())
                .headers(row.getString(column++))
                .body(row.getBytes(column))
                .build();
    }

    // One row with what is true of the whole read, and the rows that wait. All of it is of one snapshot; the
    // sequence's last value and the log's position are read after that snapshot was taken, so they are not below what
    // it shows.
    //
    //  - Rows of a destination in the order of their values, from its floor on; those in memory are left out. "not in
    // (select
    //    unnest)" is hashed once for all destinations; "<> all (array)" would compare each row with each value.
    //  - At most so many rows, and no row after the first that reaches the limit of bytes: octet_length reads no body.
    //  - A row of a held session comes marked and without its body: it must join the hold. Left out, newer rows would
    // pass it.
    //  - Server: by numbers, whose text does not depend on a session's settings. A restart has another start time, a
    // crash of one process resets the statistics, another server has both.
    private static final String READ = """
            with asked as materialized (
              select * from unnest(?::text[], ?::bigint[], ?::integer[], ?::integer[]) with ordinality
                as a (destination, floor, most, full_lanes, place)
            ), states as (
              select coalesce(array_agg(case when d.owner = ? then d.epoch else -1 end order by a.place), '{}') as epochs,
                coalesce(array_agg(d.paused_at is null and coalesce(d.moves_until <= clock_timestamp(), true)
                  order by a.place), '{}') as open
              from asked a left join %1$s.outbox_destination d on d.destination = a.destination
            )
            select 0 as kind, pg_current_snapshot()::text as snapshot,
              (select last_value - case when is_called then 0 else 1 end from %1$s.outbox_seq) as last_value,
              case when pg_current_wal_flush_lsn() < pg_current_wal_insert_lsn() then pg_current_wal_insert_lsn()::text end
                as unflushed,
              extract(epoch from pg_postmaster_start_time())::text || '/'
                || coalesce(extract(epoch from pg_stat_get_bgwriter_stat_reset_time())::text, '')
                as server,
              exists (
                select from %1$s.outbox_hold
                where state = 'retrying' and due_at <= clock_timestamp()
                  and (attempt_until is null or attempt_until <= clock_timestamp())) as held_due,
              s.epochs, s.open, null::text as destination, null::bigint as bytes, null::integer as lane, null::boolean as held,
              null::bigint as seq, null::bigint as age_micros, null::varchar as session_id, null::varchar as message_id,
              null::varchar as broker_message_id, null::varchar as partition_key, null::text as subject,
              null::text as content_type, null::text as correlation_id, null::text as to_address, null::text as reply_to,
              null::text as reply_to_session_id, null::bigint as time_to_live,
              null::timestamptz as scheduled_enqueue_time, null::jsonb as headers, null::bytea as payload
            from states s
            union all
            select 1, null, null, null, null, null, null, null, a.destination, r.bytes, r.lane, r.held,
              r.seq, (date_part('epoch', clock_timestamp() - r.created_at) * 1000000)::bigint, r.session_id, r.message_id, r.broker_message_id, r.partition_key, r.subject, r.content_type,
              r.correlation_id, r.to_address, r.reply_to, r.reply_to_session_id, r.time_to_live, r.scheduled_enqueue_time,
              r.headers, case when r.held then '' else r.payload end
            from asked a
            cross join lateral (
              select w.*, sum(w.size) over (order by w.seq rows unbounded preceding) as bytes
              from (
                select m.*, octet_length(m.payload) + coalesce(pg_column_size(m.headers), 0) as size,
                  (hashtextextended(coalesce(m.session_id, m.message_id)::text collate "C", 0) & 31)::integer as lane,
                  m.session_id is not null and exists (
                    select from %1$s.outbox_hold h
                    where h.destination = m.destination
                      and h.key = length(m.session_id)::text || ':' || m.session_id) as held
                from %1$s.outbox_message m
                where m.destination = a.destination and m.seq > a.floor
                  and m.seq not in (select unnest(?::bigint[]))
                  and (a.full_lanes = 0 or a.full_lanes >> (hashtextextended(
                    coalesce(m.session_id, m.message_id)::text collate "C", 0) & 31)::integer & 1 = 0)
                order by m.seq
                limit a.most) w
              order by w.seq) r
            where r.bytes - r.size < ?
            """;
}
