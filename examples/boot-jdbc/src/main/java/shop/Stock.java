package shop;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Keeps the stock. */
@Service
public class Stock {
    private final JdbcTemplate jdbc;

    Stock(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @Transactional
    public void take(String item) {
        if (jdbc.update("update stock set pieces = pieces - 1 where item = ? and pieces > 0", item) == 0) {
            throw new IllegalStateException("There is no " + item);
        }
    }

    @Transactional(readOnly = true)
    public int pieces(String item) {
        return jdbc.queryForObject("select pieces from stock where item = ?", Integer.class, item);
    }
}
