-- What a trace of perfetto.cu shows: each line is one fact.
select * from (select 'refused: ' || name || ' ' || value as line from stats
    where severity in ('error', 'data_loss') and value > 0)
union all select * from (select 'slices: ' || name || ' ' || count(*) from slice
    where name in ('cudaLaunchKernel', 'cudaMemcpy', 'cudaStreamCreate') or name like 'work%' or name like '%other%'
       or name like 'Memcpy%' group by name order by name)
union all select * from (
    select 'arrows: ' || a.name || ' > ' || b.name || ' ' || count(*) || ', backwards in time ' || sum(a.ts > b.ts) ||
           ', of another number ' || sum(extract_arg(a.arg_set_id, 'args.correlation') !=
                                         extract_arg(b.arg_set_id, 'args.correlation'))
    from flow join slice a on slice_out = a.id join slice b on slice_in = b.id
    where a.name != 'cudaMemset' group by a.name, b.name order by b.name, a.name)
union all select * from (select distinct 'block: ' || extract_arg(arg_set_id, 'args.block[0]') || 'x' ||
    extract_arg(arg_set_id, 'args.block[1]') || 'x' || extract_arg(arg_set_id, 'args.block[2]')
    from slice where name like '%other%')
union all select 'kernels on streams: ' || count(distinct t.name) || ', elsewhere ' || sum(t.name not like 'stream %')
    from slice s join thread_track k on s.track_id = k.id join thread t using (utid)
    where s.name like 'work%' or s.name like '%other%'
union all select 'threads that launch: ' || count(distinct t.utid)
    from slice s join thread_track k on s.track_id = k.id join thread t using (utid)
    where s.name = 'cudaLaunchKernel' and t.name like 'thread %'
union all select 'slept between two calls: ' || (min(b.ts - (a.ts + a.dur)) >= 50000000 and max(b.ts - (a.ts + a.dur)) < 5000000000)
    from slice a join slice b on b.name = 'cudaMemset' and b.track_id = a.track_id
     and b.ts = (select min(ts) from slice c where c.name = b.name and c.track_id = a.track_id and c.ts > a.ts)
    where a.name = 'cudaDeviceSynchronize'
