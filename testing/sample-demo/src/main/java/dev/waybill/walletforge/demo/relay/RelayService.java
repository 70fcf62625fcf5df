package dev.waybill.walletforge.demo.relay;

import dev.waybill.relay.Relay;
import dev.waybill.walletforge.WalletService;
import dev.waybill.walletforge.installation.Installation;
import java.time.Duration;

/** The service's relay at the demo's pace, be it in the demo's process or in one of its own. */
public final class RelayService {
    private static final Duration LONGEST_IDLE = Duration.ofMillis(20);

    private RelayService() {}

    /** Starts it. */
    public static Relay start(Installation installation, RelayTempo tempo) {
        return WalletService.relay(installation, tempo.sendDeadline())
                .tuning(tuning -> tuning.leaseDuration(tempo.lease()).longestIdle(LONGEST_IDLE))
                .start();
    }
}
