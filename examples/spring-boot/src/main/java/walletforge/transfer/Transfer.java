package walletforge.transfer;

import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;

@Entity
class Transfer {
    @Id
    private String id;

    @Enumerated(EnumType.STRING)
    private State state = State.STARTED;

    enum State {
        STARTED,
        DONE,
        DECLINED,
        REFUNDED
    }

    protected Transfer() {}

    Transfer(String id) {
        this.id = id;
    }

    State state() {
        return state;
    }

    void end(State end) {
        state = end;
    }
}
