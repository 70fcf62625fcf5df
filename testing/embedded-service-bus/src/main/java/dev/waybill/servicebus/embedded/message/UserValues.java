package dev.waybill.servicebus.embedded.message;

import java.time.Duration;
import java.time.Instant;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.DescribedType;
import org.apache.qpid.proton.amqp.Symbol;
import org.jspecify.annotations.Nullable;

/** Converts application properties between AMQP and Java. Service Bus has its own types for durations, times and URIs. */
public final class UserValues {
    /** Ticks of 100 ns from year 1 to 1970. */
    private static final long EPOCH_TICKS = 621_355_968_000_000_000L;

    private static final long TICKS_PER_SECOND = 10_000_000;

    private static final Symbol MOMENT = Symbol.valueOf("com.microsoft:datetime-offset");
    private static final Symbol DURATION = Symbol.valueOf("com.microsoft:timespan");

    private UserValues() {}

    public static Object plain(Object value) {
        if (value instanceof DescribedType described) {
            return describedValue(described);
        }
        Long millis = Timestamps.millis(value);
        if (millis != null) {
            return Instant.ofEpochMilli(millis);
        }
        if (value instanceof Binary binary) {
            byte[] copy = new byte[binary.getLength()];
            System.arraycopy(binary.getArray(), binary.getArrayOffset(), copy, 0, copy.length);
            return copy;
        }
        return value instanceof Symbol ? value.toString() : value;
    }

    private static Object describedValue(DescribedType described) {
        Object content = described.getDescribed();
        if (content instanceof Long ticks && MOMENT.equals(described.getDescriptor())) {
            return moment(ticks - EPOCH_TICKS);
        }
        if (content instanceof Long ticks && DURATION.equals(described.getDescriptor())) {
            return Duration.ofSeconds(ticks / TICKS_PER_SECOND, ticks % TICKS_PER_SECOND * 100);
        }
        return content == null ? described : content.toString();
    }

    private static Instant moment(long ticks) {
        return Instant.ofEpochSecond(
                Math.floorDiv(ticks, TICKS_PER_SECOND), Math.floorMod(ticks, TICKS_PER_SECOND) * 100);
    }

    public static Object encodable(@Nullable Object value) {
        if (value instanceof Instant instant) {
            return Timestamps.of(instant.toEpochMilli());
        }
        if (value instanceof byte[] bytes) {
            return new Binary(bytes);
        }
        return value == null ? "" : value;
    }
}
