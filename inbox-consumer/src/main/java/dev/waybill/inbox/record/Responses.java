package dev.waybill.inbox.record;

import dev.waybill.inbox.Response;
import dev.waybill.inbox.lock.InboxKey;
import dev.waybill.schema.BinaryParameters;
import dev.waybill.schema.SchemaName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The stored responses. */
public final class Responses {
    private final String insert;
    private final String select;

    public Responses(SchemaName schema) {
        String table = schema.table("inbox_response");
        insert = "with owner as (insert into " + schema.table("inbox_key_owner")
                + " (name) values (?) on conflict do nothing)"
                + " insert into " + table + " (key, status, content_type, body, request) values (?, ?, ?, ?, ?)";
        select = "select status, content_type, body, request from " + table + " where key = ?";
    }

    /** Stores a response, and marks the owner's ids as keys of requests. */
    public void store(Connection connection, String owner, String id, Stored answer) throws SQLException {
        BinaryParameters.require(connection);
        try (PreparedStatement statement = connection.prepareStatement(insert)) {
            statement.setString(1, owner);
            statement.setObject(2, InboxKey.of(owner, id));
            statement.setInt(3, answer.response().status());
            statement.setString(4, answer.response().contentType());
            statement.setBytes(5, answer.response().body());
            statement.setBytes(6, answer.request());
            statement.executeUpdate();
        }
    }

    public Optional<Stored> find(Connection connection, String owner, String id) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(select)) {
            statement.setObject(1, InboxKey.of(owner, id));
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? Optional.of(stored(rows)) : Optional.empty();
            }
        }
    }

    private static Stored stored(ResultSet row) throws SQLException {
        return new Stored(new Response(row.getInt(1), row.getString(2), row.getBytes(3)), row.getBytes(4));
    }

    /** A response and the digest of its request; null if unknown. */
    // Compared only by {@link #isOfAnother}.
    @SuppressWarnings("ArrayRecordComponent")
    public record Stored(Response response, byte @Nullable [] request) {
        public boolean isOfAnother(byte @Nullable [] other) {
            return request != null && other != null && !Arrays.equals(request, other);
        }
    }
}
