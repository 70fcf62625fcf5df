package dev.waybill.standalone.servicebus;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;

/** A socket of a probe. All that is read has one deadline, as a peer may send a byte now and then. */
final class DeadlineSocket extends Socket {
    private final long end;

    /** {@code end}: by {@link System#nanoTime}. */
    DeadlineSocket(long end) {
        this.end = end;
    }

    @Override
    public InputStream getInputStream() throws IOException {
        return new FilterInputStream(super.getInputStream()) {
            @Override
            public int read() throws IOException {
                limit();
                return super.read();
            }

            @Override
            public int read(byte[] bytes, int from, int length) throws IOException {
                limit();
                return super.read(bytes, from, length);
            }
        };
    }

    private void limit() throws IOException {
        long left = Duration.ofNanos(end - System.nanoTime()).toMillis();
        if (left <= 0) {
            throw new SocketTimeoutException("late");
        }
        setSoTimeout((int) left);
    }
}
