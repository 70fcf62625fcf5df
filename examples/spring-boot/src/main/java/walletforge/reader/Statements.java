package walletforge.reader;

import dev.waybill.spring.InboxHandler;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import walletforge.wallet.WalletChanged;

/** Writes a line for each change, in the order of the changes. */
@Component
class Statements {
    private final JdbcTemplate jdbc;

    Statements(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @InboxHandler(destination = "wallet-events/statements")
    void changed(WalletChanged event) {
        jdbc.update(
                "insert into statement_line (wallet, cause, balance) values (?, ?, ?)",
                event.wallet(),
                event.cause(),
                event.balance());
    }
}
