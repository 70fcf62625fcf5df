package dev.waybill.relay.settle;

import dev.waybill.relay.connect.LoopConnection;
import dev.waybill.relay.connect.LoopConnection.Durability;
import dev.waybill.relay.send.RowKey;
import dev.waybill.schema.SchemaName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Deletes the rows that the broker has accepted, where this relay is still the owner. Confined to the loop's thread. */
public final class AcceptedRows {
    private final LoopConnection connection;
    private final Set<String> retained;
    private final String sql;

    /**
     * Rows of the outbox in a schema.
     *
     * @param retained destinations whose published messages are kept
     */
    public AcceptedRows(LoopConnection connection, SchemaName schema, Set<String> retained) {
        this.connection = connection;
        this.retained = Set.copyOf(retained);
        this.sql = (retained.isEmpty() ? DELETE : KEEP).formatted(schema);
    }

    /**
     * What a settle did.
     *
     * @param xid of its transaction
     * @param destinations those whose epoch is still this one and that nobody had locked: their rows are gone
     * @param rows how many rows there were
     */
    public record Deleted(long xid, Set<String> destinations, int rows) {}

    /** Settles; with no settlements it only takes a transaction's id, for a {@linkplain dev.waybill.relay.read.Floors#mark mark}. */
    public Deleted delete(List<Settlement> settlements) {
        return connection.run(
                sql,
                Durability.ASYNCHRONOUS,
                (open, statement) -> set(open, statement, settlements),
                AcceptedRows::read);
    }

    private void set(Connection open, PreparedStatement statement, List<Settlement> settlements) throws SQLException {
        var destinations = new ArrayList<String>();
        var values = new ArrayList<Long>();
        var ids = new ArrayList<String>();
        for (Settlement settlement : settlements) {
            for (RowKey row : settlement.accepted()) {
                destinations.add(settlement.destination());
                values.add(row.seq());
                ids.add(row.messageId());
            }
        }
        statement.setArray(
                1,
                open.createArrayOf(
                        "text",
                        settlements.stream().map(Settlement::destination).toArray()));
        statement.setArray(
                2,
                open.createArrayOf(
                        "bigint", settlements.stream().map(Settlement::epoch).toArray()));
        statement.setArray(3, open.createArrayOf("text", destinations.toArray()));
        statement.setArray(4, open.createArrayOf("bigint", values.toArray()));
        statement.setArray(5, open.createArrayOf("text", ids.toArray()));
        if (!retained.isEmpty()) {
            statement.setArray(6, open.createArrayOf("text", retained.toArray()));
        }
    }

    private static Deleted read(ResultSet row) throws SQLException {
        row.next();
        var destinations = new HashSet<String>();
        for (String destination : (String[]) row.getArray(2).getArray()) {
            destinations.add(destination);
        }
        return new Deleted(row.getLong(1), destinations, row.getInt(3));
    }

    // The destinations are locked first: a claim that commits while the rows are deleted must wait, and a joined epoch
    // would not stop it. One that somebody has locked is left for the next settle, so that no lock stops the others.
    //
    // A row is named by destination, value and message id: after a failover that a pooler hides, the value may name a
    // row that was never sent.
    private static final String DELETE = """
            with owned as materialized (
              select d.destination
              from unnest(?::text[], ?::bigint[]) as o (destination, epoch)
              join %1$s.outbox_destination d on d.destination = o.destination and d.epoch = o.epoch
              order by d.destination
              for share of d skip locked
            ), gone as (
              delete from %1$s.outbox_message m
              using unnest(?::text[], ?::bigint[], ?::text[]) as r (destination, seq, message_id)
              where (r.destination in (select destination from owned)) is true
                and m.destination = r.destination and m.seq = r.seq and m.message_id = r.message_id
              returning 1
            )
            select pg_current_xact_id()::text::bigint, coalesce((select array_agg(destination) from owned), '{}'),
              (select count(*) from gone)
            """;

    // The same, and what a destination retains moves to the published messages.
    private static final String KEEP = """
            with owned as materialized (
              select d.destination
              from unnest(?::text[], ?::bigint[]) as o (destination, epoch)
              join %1$s.outbox_destination d on d.destination = o.destination and d.epoch = o.epoch
              order by d.destination
              for share of d skip locked
            ), gone as (
              delete from %1$s.outbox_message m
              using unnest(?::text[], ?::bigint[], ?::text[]) as r (destination, seq, message_id)
              where (r.destination in (select destination from owned)) is true
                and m.destination = r.destination and m.seq = r.seq and m.message_id = r.message_id
              returning m.*
            ), kept as (
              insert into %1$s.outbox_published (
                seq, destination, session_id, message_id, broker_message_id, partition_key, subject, content_type,
                correlation_id, to_address, reply_to, reply_to_session_id, time_to_live, scheduled_enqueue_time, headers,
                payload, created_at)
              select
                seq, destination, session_id, message_id, broker_message_id, partition_key, subject, content_type,
                correlation_id, to_address, reply_to, reply_to_session_id, time_to_live, scheduled_enqueue_time, headers,
                payload, created_at
              from gone where destination = any (?)
              on conflict do nothing
            )
            select pg_current_xact_id()::text::bigint, coalesce((select array_agg(destination) from owned), '{}'),
              (select count(*) from gone)
            """;
}
