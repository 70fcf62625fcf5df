package dev.waybill.spring;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import org.jspecify.annotations.Nullable;

/** A booking, as handlers write it. */
@Entity
public class Booking {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private @Nullable Long id;

    private @Nullable String what;

    protected Booking() {}

    Booking(String what) {
        this.what = what;
    }

    @Nullable String what() {
        return what;
    }

    void rename(@Nullable String to) {
        what = to;
    }
}
