s/tell(state, tile, WHOLE_SUM, before + own);/tell(state, tile, WHOLE_SUM, own);/
