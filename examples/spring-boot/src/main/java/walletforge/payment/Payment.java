package walletforge.payment;

import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;

@Entity
class Payment {
    @Id
    private String id;

    private String wallet;
    private long cents;

    @Enumerated(EnumType.STRING)
    private State state = State.ACCEPTED;

    enum State {
        ACCEPTED,
        BOOKED,
        DECLINED
    }

    protected Payment() {}

    Payment(String id, String wallet, long cents) {
        this.id = id;
        this.wallet = wallet;
        this.cents = cents;
    }

    State state() {
        return state;
    }

    void end(boolean booked) {
        state = booked ? State.BOOKED : State.DECLINED;
    }
}
