package shop;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Writes lines that stay whatever becomes of the caller; no good in a handler, which may be called again. */
@Service
public class Audit {
    private final JdbcTemplate jdbc;

    Audit(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @Transactional(propagation = Propagation.REQUIRES_NEW)
    public void write(String line) {
        jdbc.update("insert into audit (line) values (?)", line);
    }
}
