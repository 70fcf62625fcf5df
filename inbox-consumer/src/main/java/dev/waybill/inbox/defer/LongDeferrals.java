package dev.waybill.inbox.defer;

import dev.waybill.inbox.Deferral;
import dev.waybill.schema.SchemaName;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

public final class LongDeferrals {
    private final String forgotten;

    public LongDeferrals(SchemaName schema) {
        forgotten = "select message_id, defer_key, session_id, sequence_number, deferred_at, resume_at, tries from "
                + schema.table("inbox_deferral")
                + " where consumer = ? and deferred_at < clock_timestamp() - ? * interval '1 millisecond'"
                + " order by deferred_at limit 1000";
    }

    /** Deferrals older than {@code age}, oldest first, at most 1,000. */
    public List<Deferral> find(DSLContext dsl, String consumer, Duration age) {
        return dsl.connectionResult(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(forgotten)) {
                statement.setString(1, consumer);
                statement.setLong(2, age.toMillis());
                try (ResultSet rows = statement.executeQuery()) {
                    var deferrals = new ArrayList<Deferral>();
                    while (rows.next()) {
                        deferrals.add(deferral(rows));
                    }
                    return deferrals;
                }
            }
        });
    }

    private static Deferral deferral(ResultSet row) throws SQLException {
        @Nullable OffsetDateTime resumeAt = row.getObject("resume_at", OffsetDateTime.class);
        return new Deferral(
                row.getString("message_id"),
                row.getString("defer_key"),
                new Deferral.Place(row.getString("session_id"), row.getLong("sequence_number")),
                row.getObject("deferred_at", OffsetDateTime.class).toInstant(),
                resumeAt == null ? null : resumeAt.toInstant(),
                row.getInt("tries"));
    }
}
