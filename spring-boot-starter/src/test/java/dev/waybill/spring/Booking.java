package dev.waybill.spring;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;

/** What handlers write. */
@Entity
public class Booking {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private Long id;

    private String what;

    protected Booking() {}

    Booking(String what) {
        this.what = what;
    }

    String what() {
        return what;
    }

    void rename(String to) {
        what = to;
    }
}
