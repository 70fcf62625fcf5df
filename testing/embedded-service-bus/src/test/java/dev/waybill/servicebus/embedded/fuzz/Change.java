package dev.waybill.servicebus.embedded.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/**
 * A change to bytes.
 *
 * @param kind what is done
 * @param at where, in parts of ten thousand of the whole
 * @param value a number for it
 * @param bytes bytes for it
 */
@SuppressWarnings("ArrayRecordComponent") // Nobody compares changes.
record Change(Kind kind, int at, int value, byte[] bytes) {
    private static final int WHOLE = 10_000;

    /** The changes that may be made to bytes. */
    enum Kind {
        FLIP,
        INSERT,
        REMOVE,
        CUT,
        NUMBER,
        RUN,
        DOUBLE
    }

    static Arbitrary<Change> any() {
        return Combinators.combine(
                        Arbitraries.of(Kind.class),
                        Arbitraries.integers().between(0, WHOLE),
                        Arbitraries.integers(),
                        Arbitraries.bytes().array(byte[].class).ofMaxSize(40))
                .as(Change::new);
    }

    byte[] applyTo(byte[] whole) {
        if (whole.length == 0) {
            return whole;
        }
        int where = (int) ((long) at * (whole.length - 1) / WHOLE);
        return switch (kind) {
            case FLIP -> flipped(whole, where);
            case INSERT -> spliced(whole, where, bytes, where);
            case REMOVE -> spliced(whole, where, new byte[0], Math.min(whole.length, where + 1 + (value & 15)));
            case CUT -> Arrays.copyOf(whole, where);
            case NUMBER ->
                spliced(whole, where, ByteBuffer.allocate(4).putInt(value).array(), Math.min(whole.length, where + 4));
            case RUN -> spliced(whole, where, run(), where);
            case DOUBLE -> spliced(whole, where, Arrays.copyOfRange(whole, 0, where), where);
        };
    }

    private byte[] flipped(byte[] whole, int where) {
        byte[] copy = whole.clone();
        copy[where] = (byte) value;
        return copy;
    }

    /** Many times the same: a long way down for whoever descends with each of them. */
    private byte[] run() {
        byte[] run = new byte[value & 0xFFFF];
        if (bytes.length > 0 && value > 0) {
            Arrays.fill(run, bytes[0]);
        }
        return run;
    }

    private static byte[] spliced(byte[] whole, int from, byte[] with, int to) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(whole, 0, from);
        out.writeBytes(with);
        out.write(whole, to, whole.length - to);
        return out.toByteArray();
    }

    @Override
    public String toString() {
        return kind + " at " + at + " with " + value + " and " + Arrays.toString(bytes);
    }
}
