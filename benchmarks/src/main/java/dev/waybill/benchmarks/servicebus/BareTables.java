package dev.waybill.benchmarks.servicebus;

import com.azure.core.util.BinaryData;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import dev.waybill.benchmarks.environment.OutboxSchema;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.postgresql.PGConnection;

/** Two tables with nothing but a key and the message: one for dead letters, one to publish from. */
final class BareTables {
    private static final byte[] HEAD = "PGCOPY\n\u00ff\r\n\0\0\0\0\0\0\0\0\0".getBytes(StandardCharsets.ISO_8859_1);
    private static final int COLUMNS = 4;

    private final OutboxSchema schema;
    private final DataSource pool;
    private final String copyIn;
    private final String copyOver;
    private final String read;

    BareTables(OutboxSchema schema) {
        this.schema = schema;
        this.pool = schema.pool("bare", 4);
        String dead = schema.table("bare_dead").toString();
        String outbox = schema.table("bare_outbox").toString();
        copyIn = "copy " + dead + " (message_id, subject, content_type, payload) from stdin (format binary)";
        copyOver = COPY_OVER.formatted(dead, outbox);
        read = READ.formatted(outbox);
        schema.runScript(CREATE.formatted(dead, outbox));
    }

    void empty() {
        schema.dsl()
                .execute("truncate {0}, {1} restart identity", schema.table("bare_dead"), schema.table("bare_outbox"));
    }

    /** In a transaction of its own, as the others. */
    void store(List<ServiceBusReceivedMessage> messages) {
        var rows = ByteBuffer.allocate(messages.size() * 2_048).put(HEAD);
        for (ServiceBusReceivedMessage message : messages) {
            rows.putShort((short) COLUMNS);
            put(rows, message.getMessageId().getBytes(StandardCharsets.UTF_8));
            put(rows, message.getSubject().getBytes(StandardCharsets.UTF_8));
            put(rows, message.getContentType().getBytes(StandardCharsets.UTF_8));
            put(rows, message.getBody().toBytes());
        }
        rows.putShort((short) -1);
        try (var connection = pool.getConnection()) {
            connection
                    .unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyIn(copyIn, new ByteArrayInputStream(rows.array(), 0, rows.position()));
        } catch (SQLException | IOException e) {
            throw new IllegalStateException("The dead letters could not be stored", e);
        }
    }

    private static void put(ByteBuffer rows, byte[] value) {
        rows.putInt(value.length).put(value);
    }

    /** Copies dead letters behind an id into the outbox; says how many. */
    int copyOver(long behind, int most) throws SQLException {
        try (var connection = pool.getConnection();
                var statement = connection.prepareStatement(copyOver)) {
            statement.setLong(1, behind);
            statement.setInt(2, most);
            return statement.executeUpdate();
        }
    }

    /** The rows of the outbox behind a place. */
    List<Row> read(long behind, int most) throws SQLException {
        var rows = new ArrayList<Row>();
        try (var connection = pool.getConnection();
                var statement = connection.prepareStatement(read)) {
            statement.setLong(1, behind);
            statement.setInt(2, most);
            try (var result = statement.executeQuery()) {
                while (result.next()) {
                    rows.add(new Row(
                            result.getString(1),
                            result.getString(2),
                            result.getString(3),
                            BinaryData.fromBytes(result.getBytes(4))));
                }
            }
        }
        return rows;
    }

    /** A message in the outbox. */
    record Row(String messageId, String subject, String contentType, BinaryData payload) {}

    private static final String CREATE = """
            create table if not exists %1$s (
              id bigint generated always as identity (cache 1) primary key,
              message_id text not null unique, subject text, content_type text, payload bytea not null);
            create table if not exists %2$s (
              seq bigint generated always as identity (cache 1) primary key,
              message_id text not null, subject text, content_type text, payload bytea not null)
            """;

    private static final String COPY_OVER = """
            insert into %2$s (message_id, subject, content_type, payload)
            select message_id || '~copy', subject, content_type, payload from %1$s where id > ? order by id limit ?
            """;

    private static final String READ = """
            select message_id, subject, content_type, payload from %s where seq > ? order by seq limit ?
            """;
}
