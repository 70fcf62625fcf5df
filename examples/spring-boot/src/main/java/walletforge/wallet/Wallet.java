package walletforge.wallet;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
class Wallet {
    @Id
    private String id;

    private long cents;

    protected Wallet() {}

    Wallet(String id) {
        this.id = id;
    }

    long cents() {
        return cents;
    }

    boolean covers(long withdrawal) {
        return cents + withdrawal >= 0;
    }

    void change(long by) {
        cents += by;
    }
}
