package dev.waybill.standalone.service;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Something that fails again and again until it works: told once with its reason, once more for each other reason, and at its
 * end with its length. Repeats are counted, and told at DEBUG. Used by one thread.
 */
final class Fault {
    private static final Logger LOG = LoggerFactory.getLogger(Fault.class);

    private final LongSupplier nanos;
    private @Nullable String reason;
    private long since;
    private long met;

    Fault(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /**
     * It has failed.
     *
     * @param consequence what does not work meanwhile, as the beginning of a sentence
     */
    void met(String consequence, String why) {
        if (reason == null) {
            since = nanos.getAsLong();
            met = 0;
        }
        met++;
        if (why.equals(reason)) {
            LOG.debug("{}: {} (seen {} times)", consequence, why, met);
        } else {
            LOG.warn("{}: {}", consequence, why);
        }
        reason = why;
    }

    /**
     * It has worked.
     *
     * @param relief what works again, as the beginning of a sentence; told only if it had failed
     */
    void over(String relief) {
        if (reason != null) {
            var length = Duration.ofNanos(nanos.getAsLong() - since);
            LOG.info("{} after {} s; it failed {} times, last: {}", relief, seconds(length), met, reason);
        }
        reason = null;
    }

    private static String seconds(Duration length) {
        return length.toSeconds() + "." + length.toMillisPart() / 100;
    }
}
