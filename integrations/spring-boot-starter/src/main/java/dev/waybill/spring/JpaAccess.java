package dev.waybill.spring;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.orm.jpa.EntityManagerFactoryInfo;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.transaction.PlatformTransactionManager;

/** All that needs JPA on the class path. */
final class JpaAccess {
    private JpaAccess() {}

    static @Nullable DataSource dataSource(PlatformTransactionManager manager) {
        return manager instanceof JpaTransactionManager jpa ? jpa.getDataSource() : null;
    }

    /** By the thread's entity managers, as repositories get them. */
    static List<Question> questions(
            PlatformTransactionManager manager, DataSource dataSource, Collection<?> factories) {
        var reached = new LinkedHashSet<EntityManagerFactory>();
        if (manager instanceof JpaTransactionManager jpa && jpa.getEntityManagerFactory() != null) {
            reached.add(jpa.getEntityManagerFactory());
        }
        for (Object factory : factories) {
            if (factory instanceof EntityManagerFactory found && isOf(found, dataSource)) {
                reached.add(found);
            }
        }
        return reached.stream().map(JpaAccess::question).toList();
    }

    private static Question question(EntityManagerFactory factory) {
        EntityManager shared = SharedEntityManagerCreator.createSharedEntityManager(factory);
        return query -> String.valueOf(shared.createNativeQuery(query).getSingleResult());
    }

    private static boolean isOf(EntityManagerFactory factory, DataSource dataSource) {
        if (!(factory instanceof EntityManagerFactoryInfo info)) {
            return false;
        }
        DataSource known = info.getDataSource();
        return known != null && ManagedDataSource.target(known) == ManagedDataSource.target(dataSource);
    }

    /** A way to ask the database in the thread's transaction. */
    interface Question {
        String ask(String query);
    }
}
