package dev.waybill.servicebus.embedded.message;

import java.util.Date;
import org.jspecify.annotations.Nullable;

/** AMQP timestamps, which the codec knows as dates. Everywhere else a moment is a number of milliseconds. */
@SuppressWarnings("JavaUtilDate")
public final class Timestamps {
    private Timestamps() {}

    /** The encodable form of milliseconds since the epoch. */
    public static Date of(long millis) {
        return new Date(millis);
    }

    /** Encodable forms, for an array of timestamps. */
    public static Object array(long[] millis) {
        Date[] dates = new Date[millis.length];
        for (int i = 0; i < dates.length; i++) {
            dates[i] = new Date(millis[i]);
        }
        return dates;
    }

    /** Milliseconds since the epoch, or null if the value is no timestamp. */
    public static @Nullable Long millis(@Nullable Object value) {
        return value instanceof Date date ? (Long) date.getTime() : null;
    }
}
