package dev.waybill.walletforge.run;

import dev.waybill.relay.Relay;
import dev.waybill.walletforge.fault.FaultyRun;
import dev.waybill.walletforge.intake.Pace;

/** Where the relay runs, and at what pace it lets payments in. */
interface RelayHost extends AutoCloseable {
    /** When a payment may be taken in. */
    Pace pace();

    /** How often a relay was replaced. */
    int restarts();

    /** How often one is to be replaced in all. */
    int restartsDue();

    /** Whether nothing more will happen to the relay. */
    boolean isSettled();

    /** Fails if there is no relay any more that should be there. */
    void check();

    @Override
    void close();

    /** In this process, undisturbed. */
    static RelayHost of(Relay relay) {
        return new RelayHost() {
            @Override
            public Pace pace() {
                return Pace.UNLIMITED;
            }

            @Override
            public int restarts() {
                return 0;
            }

            @Override
            public int restartsDue() {
                return 0;
            }

            @Override
            public boolean isSettled() {
                return true;
            }

            @Override
            public void check() {}

            @Override
            public void close() {
                relay.close();
            }
        };
    }

    /** In processes that are killed. */
    static RelayHost of(FaultyRun run) {
        return new RelayHost() {
            @Override
            public Pace pace() {
                return run.pace();
            }

            @Override
            public int restarts() {
                return run.restarts();
            }

            @Override
            public int restartsDue() {
                return FaultyRun.RESTARTS;
            }

            @Override
            public boolean isSettled() {
                return run.isDone();
            }

            @Override
            public void check() {
                run.check();
            }

            @Override
            public void close() {
                run.close();
            }
        };
    }
}
