package dev.waybill.deadletter.archive;

import dev.waybill.deadletter.store.CustomPlans;
import dev.waybill.schema.SchemaName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Optional;

final class ArchiveTable {
    private final String insert;
    private final String select;
    private final String delete;

    ArchiveTable(SchemaName schema) {
        String table = schema.table("dead_letter_archive");
        insert = "insert into " + table + " (id, document) values (?, ?)"
                + " on conflict (id) do update set document = excluded.document";
        select = "select document from " + table + " where id = ?";
        delete = "delete from " + table + " where id = any(?)";
    }

    void store(Connection tx, long id, String document) throws SQLException {
        try (PreparedStatement statement = CustomPlans.of(tx.prepareStatement(insert))) {
            statement.setLong(1, id);
            statement.setString(2, document);
            statement.executeUpdate();
        }
    }

    Optional<String> load(Connection tx, long id) throws SQLException {
        try (PreparedStatement statement = CustomPlans.of(tx.prepareStatement(select))) {
            statement.setLong(1, id);
            try (ResultSet found = statement.executeQuery()) {
                return found.next() ? Optional.of(found.getString(1)) : Optional.empty();
            }
        }
    }

    void remove(Connection tx, Collection<Long> ids) throws SQLException {
        try (PreparedStatement statement = CustomPlans.of(tx.prepareStatement(delete))) {
            statement.setArray(1, tx.createArrayOf("bigint", ids.toArray()));
            statement.executeUpdate();
        }
    }
}
