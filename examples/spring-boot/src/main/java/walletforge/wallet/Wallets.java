package walletforge.wallet;

import java.util.Optional;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/**
 * The balances. No row is locked and no version is compared: a wallet changes only in handlers of its session, and the session has one
 * handler at a time.
 */
@Service
public class Wallets {
    private final WalletRepository wallets;
    private final ApplicationEventPublisher events;

    Wallets(WalletRepository wallets, ApplicationEventPublisher events) {
        this.wallets = wallets;
        this.events = events;
    }

    @Transactional
    public void open(String id) {
        if (!wallets.existsById(id)) {
            wallets.save(new Wallet(id));
        }
    }

    @Transactional(readOnly = true)
    public Optional<Long> balance(String id) {
        return wallets.findById(id).map(Wallet::cents);
    }

    /** Changes a balance and publishes that, in the handler's transaction; returns false if there is no such wallet or too little in it. */
    @Transactional(propagation = Propagation.MANDATORY)
    public boolean book(String cause, String id, long cents) {
        Optional<Wallet> found = wallets.findById(id).filter(wallet -> wallet.covers(cents));
        found.ifPresent(wallet -> {
            wallet.change(cents);
            events.publishEvent(new WalletChanged(cause, id, cents, wallet.cents()));
        });
        return found.isPresent();
    }
}
