package dev.waybill.servicebus.embedded.mailbox;

import dev.waybill.servicebus.embedded.loop.BrokerClock;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A session: its waiting messages, receiver and state. */
public final class Session {
    /** As the session was first spelled. */
    public final String id;

    final long number;
    final TreeMap<Long, Entry> ready = new TreeMap<>();
    final Set<Entry> locked = new LinkedHashSet<>();
    public int messages;
    public byte @Nullable [] state;
    long updatedMillis;

    public @Nullable Receiver receiver;

    public long lockedUntil = BrokerClock.NEVER;

    Session(String id, long number) {
        this.id = id;
        this.number = number;
    }

    public String id() {
        return id;
    }

    /** Additional bytes of another state; negative if it is smaller. */
    long stateBytesMore(byte @Nullable [] other) {
        return (other == null ? 0L : other.length) - (state == null ? 0L : state.length);
    }

    boolean available() {
        return receiver == null && !(ready.isEmpty() && locked.isEmpty());
    }

    boolean idle() {
        return messages == 0 && receiver == null && state == null;
    }

    /** Equal for the spellings of one session. Service Bus compares session ids without regard to case (azure-sdk-for-java pull request 48759). */
    public static String key(String id) {
        return id.toLowerCase(Locale.ROOT);
    }

    static boolean same(String id, @Nullable String other) {
        return other != null && key(id).equals(key(other));
    }
}
