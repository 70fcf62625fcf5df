package dev.waybill.relay.settle;

import dev.waybill.relay.connect.LoopConnection;
import dev.waybill.relay.send.RowKey;
import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SqlFiles;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Deletes rows that the broker has accepted, if this relay is still the owner. Confined to the loop's thread. */
public final class AcceptedRows {
    private final LoopConnection connection;
    private final Set<String> retained;
    private final String sql;

    /** @param retained destinations whose published messages are retained */
    public AcceptedRows(LoopConnection connection, SchemaName schema, Set<String> retained) {
        this.connection = connection;
        this.retained = Set.copyOf(retained);
        sql = new SqlFiles(AcceptedRows.class, schema).get(retained.isEmpty() ? "accepted-delete" : "accepted-keep");
    }

    /** The transaction's id, the destinations that were owned and not locked, and the number of deleted rows. */
    public record Deleted(long xid, Set<String> destinations, int rows) {}

    /**
     * Settles; without settlements, only allocates a transaction id for a {@linkplain dev.waybill.relay.read.Floors#mark mark}.
     */
    public Deleted delete(List<Settlement> settlements) {
        return connection.run(sql, (open, statement) -> set(open, statement, settlements), AcceptedRows::read);
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
}
