package dev.waybill.deadletter.redrive;

import dev.waybill.deadletter.RedriveRun;
import dev.waybill.deadletter.store.CustomPlans;
import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SqlFiles;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jooq.DSLContext;

/** Closes the next letters of a run, and reads them without their bodies. Thread-safe. */
final class RedriveItems {
    /** Bytes of a step: applications that append to its sessions wait for its commit. */
    private static final long MOST_BYTES = 8L << 20;

    private final SchemaName schema;
    private final SqlFiles sql;

    RedriveItems(SchemaName schema) {
        this.schema = schema;
        sql = new SqlFiles(RedriveItems.class, schema);
    }

    /** How many of the next letters a step can take: at least one, and no more than {@link #MOST_BYTES}. */
    int fitting(DSLContext tx, RedriveRun run, int most) {
        return tx.connectionResult(connection -> {
            try (PreparedStatement statement =
                    CustomPlans.of(connection.prepareStatement(sql.get("redrive-fitting")))) {
                bindPlaces(statement, run, most);
                statement.setLong(5, MOST_BYTES);
                try (ResultSet rows = statement.executeQuery()) {
                    rows.next();
                    return rows.getInt(1);
                }
            }
        });
    }

    private static void bindPlaces(PreparedStatement statement, RedriveRun run, int most) throws SQLException {
        int before = RedrivePages.takenOf(run.position());
        statement.setInt(1, before + 1);
        statement.setInt(2, before + most);
        statement.setLong(3, run.id());
        statement.setInt(4, RedrivePages.pageAt(run.position()));
    }

    List<RedriveItem> take(DSLContext tx, RedriveRun run, int most) {
        var moved = MovedDestinations.of(tx, schema);
        return tx.connectionResult(connection -> read(connection, close(connection, run, most), moved));
    }

    private Long[] close(Connection tx, RedriveRun run, int most) throws SQLException {
        try (PreparedStatement statement = CustomPlans.of(tx.prepareStatement(sql.get("redrive-close")))) {
            bindPlaces(statement, run, most);
            var byPlace = new TreeMap<Long, Long>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    byPlace.put(rows.getLong(2), rows.getLong(1));
                }
            }
            return byPlace.values().toArray(Long[]::new);
        }
    }

    private List<RedriveItem> read(Connection tx, Long[] ids, MovedDestinations moved) throws SQLException {
        try (PreparedStatement statement = CustomPlans.of(tx.prepareStatement(sql.get("redrive-read")))) {
            statement.setArray(1, tx.createArrayOf("bigint", ids));
            var items = new ArrayList<RedriveItem>(ids.length);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    items.add(RedriveItem.of(rows, moved));
                }
            }
            return items;
        }
    }
}
