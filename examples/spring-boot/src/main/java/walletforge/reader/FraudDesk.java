package walletforge.reader;

import dev.waybill.spring.InboxHandler;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import walletforge.wallet.WalletChanged;

/** Notes large changes. */
@Component
class FraudDesk {
    private static final long LARGE = 1_000_000;

    private final JdbcTemplate jdbc;

    FraudDesk(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @InboxHandler(destination = "wallet-events/fraud")
    void changed(WalletChanged event) {
        if (Math.abs(event.cents()) >= LARGE) {
            jdbc.update("insert into fraud_alert values (?, ?)", event.cause(), event.wallet());
        }
    }
}
