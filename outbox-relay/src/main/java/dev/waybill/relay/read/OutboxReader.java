package dev.waybill.relay.read;

import dev.waybill.message.MessageContent;
import dev.waybill.relay.OutboxRow;
import dev.waybill.relay.connect.LoopConnection;
import dev.waybill.relay.read.ReadHeader.DestinationState;
import dev.waybill.relay.read.ReadRequest.Asked;
import dev.waybill.relay.read.ReadResult.ReadRow;
import dev.waybill.relay.read.ReadResult.Rows;
import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SqlFiles;
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

/** Reads pending rows of all due destinations in one statement. Confined to the loop's thread. */
public final class OutboxReader {
    private final LoopConnection connection;
    private final String sql;

    public OutboxReader(LoopConnection connection, SchemaName schema) {
        this.connection = connection;
        sql = new SqlFiles(OutboxReader.class, schema).get("read");
    }

    public ReadResult read(ReadRequest request) {
        return connection.run(sql, (open, statement) -> set(open, statement, request), rows -> result(rows, request));
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
}
