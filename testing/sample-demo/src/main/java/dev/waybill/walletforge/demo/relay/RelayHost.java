package dev.waybill.walletforge.demo.relay;

import dev.waybill.walletforge.demo.intake.Pace;
import java.util.List;
import java.util.Map;

/** Where a run's relay lives, and at what pace payments are to be taken in for its sake. */
public interface RelayHost extends AutoCloseable {
    /** When a payment may be taken in. */
    default Pace pace() {
        return Pace.UNLIMITED;
    }

    /** How often a relay took the place of a killed one. */
    default int restarts() {
        return 0;
    }

    /** How often that is to happen in all. */
    default int restartsDue() {
        return 0;
    }

    /** Whether nothing more is going to happen to the relay. */
    default boolean isSettled() {
        return true;
    }

    /** Whether somebody is to do something before it goes on, however long that takes. */
    default boolean waitsForPerson() {
        return false;
    }

    /** Fails if there is no relay where there should be one. */
    default void check() {}

    /** The faults made in the run on purpose, in words. */
    default List<String> injected() {
        return List.of();
    }

    /** The same in figures, by name. */
    default Map<String, Integer> injections() {
        return Map.of();
    }

    @Override
    void close();
}
