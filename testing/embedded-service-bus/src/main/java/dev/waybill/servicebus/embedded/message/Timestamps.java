package dev.waybill.servicebus.embedded.message;

import java.util.Date;
import org.jspecify.annotations.Nullable;

/** AMQP timestamps, which the codec represents as dates; elsewhere times are milliseconds. */
@SuppressWarnings("JavaUtilDate")
public final class Timestamps {
    private Timestamps() {}

    public static Date of(long millis) {
        return new Date(millis);
    }

    public static Object array(long[] millis) {
        Date[] dates = new Date[millis.length];
        for (int i = 0; i < dates.length; i++) {
            dates[i] = new Date(millis[i]);
        }
        return dates;
    }

    /** Epoch milliseconds, or null. */
    public static @Nullable Long millis(@Nullable Object value) {
        return value instanceof Date date ? (Long) date.getTime() : null;
    }
}
