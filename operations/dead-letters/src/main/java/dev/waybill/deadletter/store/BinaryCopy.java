package dev.waybill.deadletter.store;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/** Rows for COPY in binary form (PostgreSQL 17 documentation, COPY, "Binary Format"). */
final class BinaryCopy {
    private static final byte[] SIGNATURE = "PGCOPY\n\u00ff\r\n\0".getBytes(StandardCharsets.ISO_8859_1);
    private static final Instant EPOCH = Instant.parse("2000-01-01T00:00:00Z");
    private static final int NULL = -1;

    private static final int PIECE = 64 * 1024;

    private final int columns;
    private ByteBuffer bytes = ByteBuffer.allocate(64 * 1024);

    BinaryCopy(int columns) {
        this.columns = columns;
        // After the signature: no flags, no extension.
        bytes.put(SIGNATURE).putInt(0).putInt(0);
    }

    void begin() {
        room(Short.BYTES).putShort((short) columns);
    }

    void text(@Nullable String text) {
        bytes(text == null ? null : text.getBytes(StandardCharsets.UTF_8));
    }

    void bytes(byte @Nullable [] value) {
        if (value == null) {
            nothing();
        } else {
            length(value.length).put(value);
        }
    }

    void bigint(@Nullable Long number) {
        if (number == null) {
            nothing();
        } else {
            length(Long.BYTES).putLong(number);
        }
    }

    void integer(int number) {
        length(Integer.BYTES).putInt(number);
    }

    void flag(boolean flag) {
        length(1).put((byte) (flag ? 1 : 0));
    }

    void uuid(@Nullable UUID id) {
        if (id == null) {
            nothing();
        } else {
            length(2 * Long.BYTES).putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
        }
    }

    void time(@Nullable Instant time) {
        if (time == null) {
            nothing();
        } else {
            long seconds = time.getEpochSecond() - EPOCH.getEpochSecond();
            length(Long.BYTES).putLong(seconds * 1_000_000 + time.getNano() / 1_000);
        }
    }

    void send(Connection tx, String copy) throws SQLException {
        room(Short.BYTES).putShort((short) NULL);
        try {
            tx.unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyIn(copy, new ByteArrayInputStream(bytes.array(), 0, bytes.position()), PIECE);
        } catch (IOException e) {
            throw new UncheckedIOException("Rows in memory could not be read", e);
        }
    }

    private void nothing() {
        room(Integer.BYTES).putInt(NULL);
    }

    private ByteBuffer length(int length) {
        return room(Integer.BYTES + length).putInt(length);
    }

    private ByteBuffer room(int more) {
        if (bytes.remaining() < more) {
            int size = Math.max(Math.addExact(bytes.position(), more), 2 * bytes.capacity());
            bytes = ByteBuffer.wrap(Arrays.copyOf(bytes.array(), size)).position(bytes.position());
        }
        return bytes;
    }
}
