-- How many of the next messages of a run a step can take: at least one, and no more than have so many bytes together.
-- Parameters: the first and the last place on the page; the run and the page; the bytes. The length of a body is known without
-- reading the body.
select count(*)
from (
  select i.place, sum(coalesce(octet_length(m.payload), 0)) over (order by i.place) as bytes
  from waybill.dead_letter_redrive_page p
  cross join lateral unnest(p.dead_letters[?:?]) with ordinality as i(id, place)
  left join waybill.dead_letter_message m on m.id = i.id
  where p.redrive = ? and p.page = ?
) s
where s.place = 1 or s.bytes <= ?
