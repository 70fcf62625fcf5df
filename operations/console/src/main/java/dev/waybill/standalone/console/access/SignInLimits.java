package dev.waybill.standalone.console.access;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Doubling delays after failed sign-ins. They count for a name at an address, for the address, and for the name; wider counts
 * allow more failures, so that a stranger can hardly lock out a person. Memory is bounded. Thread-safe.
 */
final class SignInLimits {
    private static final int MOST_REMEMBERED = 10_000;
    private static final long FORGOTTEN_AFTER = Duration.ofMinutes(15).toNanos();
    private static final long FIRST_REST = Duration.ofSeconds(1).toNanos();
    private static final int MOST_DOUBLINGS = 16;

    private final LongSupplier nanos;
    private final BiFunction<String, String, List<Count>> counts;
    private final Map<String, Failures> failed = new LinkedHashMap<>(16, 0.75f, true);

    private SignInLimits(LongSupplier nanos, BiFunction<String, String, List<Count>> counts) {
        this.nanos = nanos;
        this.counts = counts;
    }

    /** For people, by name and address. */
    static SignInLimits ofPeople(LongSupplier nanos) {
        return new SignInLimits(nanos, SignInLimits::counts);
    }

    /** For tokens, by address only. */
    static SignInLimits ofAddresses(LongSupplier nanos) {
        return new SignInLimits(
                nanos, (name, address) -> List.of(new Count("address " + address, 4, Duration.ofMinutes(5))));
    }

    Duration rest(String address) {
        return rest("", address);
    }

    void failed(String address) {
        failed("", address);
    }

    private record Failures(int count, long last, long until) {}

    /** A counter with its free failures and its longest delay. */
    private record Count(String key, int free, Duration longest) {}

    private static List<Count> counts(String name, String address) {
        return List.of(
                new Count("both " + name + " " + address, 4, Duration.ofMinutes(5)),
                new Count("address " + address, 20, Duration.ofMinutes(1)),
                new Count("name " + name, 50, Duration.ofSeconds(30)));
    }

    /** The delay before the next attempt of this person; zero for none. */
    synchronized Duration rest(String name, String address) {
        long now = nanos.getAsLong();
        long longest = 0;
        for (Count count : counts.apply(name, Addresses.counted(address))) {
            @Nullable Failures failures = failed.get(count.key);
            if (failures != null) {
                longest = Math.max(longest, failures.until - now);
            }
        }
        return Duration.ofNanos(longest);
    }

    synchronized void failed(String name, String address) {
        long now = nanos.getAsLong();
        for (Count count : counts.apply(name, Addresses.counted(address))) {
            @Nullable Failures before = failed.get(count.key);
            int earlier = before == null || now - before.last > FORGOTTEN_AFTER ? 0 : before.count;
            int failures = earlier + 1;
            failed.put(count.key, new Failures(failures, now, now + rest(failures - count.free, count.longest)));
        }
        var oldest = failed.keySet().iterator();
        while (failed.size() > MOST_REMEMBERED) {
            oldest.next();
            oldest.remove();
        }
    }

    private static long rest(int beyond, Duration longest) {
        return beyond <= 0 ? 0 : Math.min(longest.toNanos(), FIRST_REST << Math.min(beyond - 1, MOST_DOUBLINGS));
    }

    synchronized void succeeded(String name, String address) {
        failed.remove("both " + name + " " + Addresses.counted(address));
    }

    synchronized int remembered() {
        return failed.size();
    }
}
